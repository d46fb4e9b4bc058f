resource "terraform_data" "a" {
  lifecycle {
    precondition {
      condition     = true
      error_message = "x"
    }
    precondition {
      condition     = terraform_data.a.id == 1
      error_message = self.id
    }
    postcondition {
      condition     = self.id == 1
      error_message = terraform_data.a.id
    }
    postcondition {
      condition     = self.foo == 1 && self == 1
      error_message = "x"
    }
    postcondition {}
  }
}
