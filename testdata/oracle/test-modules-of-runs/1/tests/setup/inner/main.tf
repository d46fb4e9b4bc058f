resource "terraform_data" "i" { input = "inner" }
