resource "terraform_data" "a2" { 
  input = "a" 
  triggers_replace = 1
  lifecycle {
    postcondition {
      condition     = self.input == "q"
      error_message = "No q."
    }
  }
  provisioner "local-exec" { 
    command = "echo hi; echo there" 
  }
}
resource "terraform_data" "b" {
  count = 1
  input = "${terraform_data.a2.output}-${count.index}"
  lifecycle { create_before_destroy = true }
  triggers_replace = terraform_data.a2.id
}
removed {
  from = terraform_data.c
  lifecycle { destroy = false }
}
data "terraform_remote_state" "r" {
  backend = "local"
  config = { path = "other.tfstate" }
}
data "terraform_remote_state" "later" {
  backend = "local"
  config = { path = "other.tfstate" }
  depends_on = [terraform_data.a2]
}
output "o" { value = terraform_data.b[*].output }
output "r" { value = data.terraform_remote_state.r.outputs }
check "c" { 
  assert {
   condition = terraform_data.a2.input == "z"
   error_message = "not z"
  }
}
