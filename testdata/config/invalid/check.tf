check "a" {
}
check "b" {
  data "terraform_remote_state" "x" {
    backend    = "local"
    count      = 1
    depends_on = [var.x]
    lifecycle {}
  }
  data "terraform_remote_state" "y" {
    backend = "local"
  }
  assert {
    condition     = data.terraform_remote_state.x.outputs == 1
    error_message = "x"
  }
}
check "b" {
  assert {
    condition     = true
    error_message = ""
  }
}
check "c" {
  assert {
    condition     = true
    error_message = ""
  }
  assert {}
  foo = 1
}
check {}
check "9" {}
check "d" {
  assert {
    condition     = data.terraform_remote_state.x.outputs.a == each.key
    error_message = "x"
  }
}
output "o" { value = data.terraform_remote_state.x.outputs.a }
