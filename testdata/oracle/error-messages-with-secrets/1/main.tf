variable "token" {
  type      = string
  default   = "good"
  ephemeral = true
  validation {
    condition     = var.token != "bad"
    error_message = "The token is ${var.token}."
  }
}

variable "password" {
  type      = string
  default   = "good"
  sensitive = true
  validation {
    condition     = var.password != "bad"
    error_message = "The password is ${var.password}."
  }
}

output "o" {
  value = 1
  precondition {
    condition     = var.token != "of no output"
    error_message = "With ${var.token} there is no output."
  }
}

check "c" {
  assert {
    condition     = var.token != "checked"
    error_message = "Checked ${var.token}."
  }
}

resource "terraform_data" "r" {
  input = 1
  lifecycle {
    precondition {
      condition     = var.token != "of no resource"
      error_message = "With ${var.token} there is no resource."
    }
    postcondition {
      condition     = var.password != "of no resource"
      error_message = "With ${var.password} there is no resource."
    }
  }
}
