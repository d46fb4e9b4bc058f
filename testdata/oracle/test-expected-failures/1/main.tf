variable "x" {
  default = 1
  validation {
    condition     = var.x != 2
    error_message = "two"
  }
}
resource "terraform_data" "a" {
  input = var.x
  lifecycle {
    precondition {
      condition     = var.x != 5
      error_message = "five"
    }
    postcondition {
      condition     = self.output != 6
      error_message = "six"
    }
  }
}
resource "terraform_data" "each" {
  for_each = toset(["k"])
  input    = var.x
  lifecycle {
    precondition {
      condition     = var.x != 7
      error_message = "seven"
    }
  }
}
check "known" {
  assert {
    condition     = var.x != 3
    error_message = "three"
  }
}
check "applied" {
  assert {
    condition     = terraform_data.a.output != 4
    error_message = "four"
  }
}
output "w" {
  value = terraform_data.a.output
  precondition {
    condition     = terraform_data.a.output != 9
    error_message = "nine"
  }
}
