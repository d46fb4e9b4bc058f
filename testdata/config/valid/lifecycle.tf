resource "terraform_data" "a" {
  count = 2
  lifecycle {
    create_before_destroy = "true"
    prevent_destroy       = false
    ignore_changes        = all
    replace_triggered_by  = [terraform_data.b, terraform_data.b.id, terraform_data.c[count.index], terraform_data.c[0].input, terraform_data.c[count.index].id]
    precondition {
      condition     = terraform_data.b.id != count.index
      error_message = "p"
    }
    postcondition {
      condition     = self.id != ""
      error_message = "Not ${self.input}."
    }
  }
}
resource "terraform_data" "b" {}
resource "terraform_data" "c" {
  count = 2
}
