variable "one" { default = 1 }
variable "l" { default = {} }
data "terraform_remote_state" "r" {
  backend = "local"
  config = { path = "nope.tfstate" }
}
resource "terraform_data" "dep" { 
 input = data.terraform_remote_state.r.outputs
 count = 2
 lifecycle {
 precondition {
  condition = var.one == 1
  error_message = "no"
 }
 }
}
resource "terraform_data" "cnt" { 
 count = var.l.x
 lifecycle {
 precondition {
  condition = var.one == 1
  error_message = "no"
 }
 }
}
resource "terraform_data" "badconf" { 
 input = var.l.x
 lifecycle {
 precondition {
  condition = var.one == 1
  error_message = "no"
 }
 }
}
resource "terraform_data" "badconf2" { 
 input = var.l.x
 lifecycle {
 postcondition {
  condition = self.input == 1
  error_message = "no"
 }
 }
}
resource "terraform_data" "zero" { 
 count = 0
 lifecycle {
 postcondition {
  condition = self.input == 1
  error_message = "no"
 }
 }
}
resource "terraform_data" "prepost" { 
 input = var.one
 lifecycle {
 precondition {
  condition = var.one == 2
  error_message = "no"
 }
 postcondition {
  condition = self.input == 1
  error_message = "no"
 }
 }
}
data "terraform_remote_state" "q" {
  backend = "local"
  config = { path = "nope.tfstate" }
 lifecycle {
 postcondition {
  condition = self.outputs != 1
  error_message = "no"
 }
 }
}
output "y" {
 value = var.l.x
 precondition {
  condition = var.one == 1
  error_message = "prec"
 }
}
