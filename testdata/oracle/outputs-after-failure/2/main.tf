resource "terraform_data" "a" {
  input = 2
  triggers_replace = 1
  provisioner "local-exec" {
    command = "false"
  }
}
output "o" { value = terraform_data.a.input }
output "q" { value = terraform_data.a.output }
output "n" { value = terraform_data.a.input == 1 ? "x" : null }
output "sens" {
  value = terraform_data.a.input
  sensitive = true
}
output "new" { value = [terraform_data.a.input] }
