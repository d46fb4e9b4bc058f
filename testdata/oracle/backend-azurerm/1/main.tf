terraform {
  backend "azurerm" {
    storage_account_name = "tfacct"
    container_name       = "tfc"
    key                  = "net/terraform.tfstate"
  }
}
resource "terraform_data" "a" {
  input = 1
}
resource "terraform_data" "b" {
  count = 2
  input = terraform_data.a.output
}
output "a" {
  value = terraform_data.a.output
}
