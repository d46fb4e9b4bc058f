output "o" { value = local.nothing }
resource "terraform_data" "a" {
  input = [1, 2
}
