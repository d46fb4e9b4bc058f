resource "terraform_data" "a" {
  input = 1
}
output "o" { value = terraform_data.a.input }
output "q" { value = terraform_data.a.output }
output "n" { value = terraform_data.a.input == 1 ? "x" : null }
output "gone" { value = "x" }
output "sens" { value = terraform_data.a.input }
