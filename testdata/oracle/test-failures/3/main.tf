variable "a" { default = 1 }
resource "terraform_data" "r" { 
 count = var.a
 input = var.a == 2 ? file("nope") : "b"
}
