resource "terraform_data" "a2" {
  input = "a"
}
resource "terraform_data" "prov" {
  provisioner "local-exec" {
    command = "exit 3"
  }
}
resource "terraform_data" "after" {
  input = terraform_data.prov.id
}
