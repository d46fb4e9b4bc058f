mock_provider "mock" {
  override_during = plan
  mock_resource "mock_r" {
    defaults = {
      id = "known"
    }
  }
}
run "planned" {
  command = plan
  assert {
    condition     = mock_r.a.id == "known" && data.mock_d.d.name == "known" && length(mock_r.a.oc) == 8
    error_message = "no"
  }
}
