resource "terraform_data" "ok" { 
 input = 1
}
resource "terraform_data" "r" { 
 input = terraform_data.ok.id
 provisioner "local-exec" {
   when = destroy
   command = "exit 3"
 }
}
