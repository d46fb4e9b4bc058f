resource "terraform_data" "a" {
  input = "x"
  provisioner "local-exec" {
    command = "test x = ${terraform_data.a.output} -a ${terraform_data.a.id} = ${self.id}"
  }
}
