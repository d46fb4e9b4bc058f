mock_provider "mock" {
  mock_resource "mock_r" {
    defaults = {
      id    = "default"
      n     = 5
      oc    = 12
      m     = { k = "v" }
      o     = { x = "ox" }
      nest  = { c = "nc" }
      nestl = { c = "nlc" }
      nestc = { a = "nca", c = "ncc" }
      rule  = { made = "rm" }
      tag   = { made = "tm" }
      name  = "not taken"
      nope  = 1
    }
  }
  mock_data "mock_d" {
    defaults = {
      id   = "di"
      made = "dm"
    }
  }
  override_data {
    target = data.mock_d.now
    values = {
      id   = "over"
      made = "over2"
    }
  }
}
run "applied" {
}
run "kept" {
  command = plan
  override_resource {
    target          = mock_r.a
    override_during = plan
    values = {
      oc = "ov"
    }
  }
}
