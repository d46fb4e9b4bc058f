variable "list" { default = [] }
locals { on = false }
resource "terraform_data" "x" {
  count = length(var.list)
  input = var.list[count.index].a
  provisioner "local-exec" {
    command = "echo ${self.input} ${var.list[0]}"
  }
}
resource "terraform_data" "y" {
  count = 0
  input = sensitive(file("none.txt"))
  lifecycle {
    precondition {
      condition     = local.on
      error_message = "Not on."
    }
  }
}
output "o" { value = [for x in terraform_data.x : x.output.b if x.id != ""] }
output "p" { value = one(terraform_data.x[*].id) }
output "q" { value = { for k, v in { for i in var.list : i.name => i } : k => v.z } }
output "r" { value = length(var.list) > 0 ? var.list[0].x : null }
output "s" { value = local.on ? sensitive("a") : "b" }
output "t" { value = terraform_data.y[*].output }
