variable "n" { default = 0 }
resource "terraform_data" "r" { 
 count = var.n
 input = 1 
}
check "c" { 
  assert {
    condition = var.n < 5
    error_message = "too many"
  }
}
