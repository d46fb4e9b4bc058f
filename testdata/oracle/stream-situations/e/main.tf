resource "terraform_data" "a2" { 
  input = "a" 
  lifecycle { 
    postcondition {
      condition = self.input == "q"
      error_message = "No q."
    }
  }
}
