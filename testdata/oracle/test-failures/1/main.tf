resource "terraform_data" "ok" { 
 input = 1
}
resource "terraform_data" "r" { 
 input = terraform_data.ok.id
 provisioner "local-exec" {
   command = "exit 3"
 }
}
