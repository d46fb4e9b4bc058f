resource "terraform_data" "a" { input = 1 }
locals { l = 1 }
provider "mock" {}
check "c" {
  assert {
    condition     = terraform_data.a.id != ""
    error_message = "x"
  }
}
