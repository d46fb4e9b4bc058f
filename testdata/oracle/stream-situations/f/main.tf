resource "terraform_data" "a2" {
  input = "a"
}
resource "terraform_data" "late" {
  input = terraform_data.a2.id
  lifecycle {
    postcondition {
      condition     = self.output == "q"
      error_message = "No q."
    }
  }
}
