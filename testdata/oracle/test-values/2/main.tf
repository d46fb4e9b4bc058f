variable "s" { 
 sensitive = true
 default = "hush"
}
variable "p" { default = "x" }
resource "terraform_data" "r" { input = var.p }
output "o" { 
 value = var.s
 sensitive = true 
}
output "shown" { value = nonsensitive(var.p) }
