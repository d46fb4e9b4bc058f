variable "short" {
  default   = "in plan and apply"
  ephemeral = true
}
resource "terraform_data" "old" {
  input = terraform.workspace
  provisioner "local-exec" {
    command = "echo ${terraform.applying} ${var.short} >keep.applying"
  }
}
output "not_now" { value = ephemeralasnull(terraform.applying) == null }
output "through_resource" { value = resource.terraform_data.old.input }
output "directories" { value = [path.module, path.root] }
