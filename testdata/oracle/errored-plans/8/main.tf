resource "terraform_data" "a" { input = "a" }
resource "terraform_data" "b" {
  count = 2
  input = "${terraform_data.a.output}-${count.index}"
}
check "fine" {
  assert {
    condition     = terraform_data.a.input == "a"
    error_message = "not a"
  }
}
output "o" { value = terraform_data.b[*].output }
resource "terraform_data" "bad" {
  input = "x"
  lifecycle {
    precondition {
      condition     = terraform_data.a.input == "never"
      error_message = "No."
    }
  }
}
resource "terraform_data" "after" {
  input = terraform_data.bad.id
  lifecycle {
    postcondition {
      condition     = self.input == "z"
      error_message = "No."
    }
  }
}
resource "terraform_data" "counted" {
  count = terraform_data.bad.input == "x" ? 2 : 1
  lifecycle {
    postcondition {
      condition     = self.input == "z"
      error_message = "No."
    }
  }
}
resource "terraform_data" "fixed" {
  count = 2
  input = terraform_data.bad.id
  lifecycle {
    postcondition {
      condition     = self.input == "z"
      error_message = "No."
    }
  }
}
check "c" {
  assert {
    condition     = terraform_data.bad.input == "x"
    error_message = "No."
  }
}
output "oo" {
  value = terraform_data.bad.input
  precondition {
      condition     = terraform_data.bad.input == "x"
      error_message = "No."
  }
}
variable "v" {
  default = 1
  validation {
    condition = var.v == 1
    error_message = "no"
  }
}
module "m" {
  source = "./m"
  v = terraform_data.bad.input
}
module "n" {
  source = "./m"
  count = terraform_data.bad.input == "x" ? 1 : 0
  v = terraform_data.bad.input
}
module "p" {
  source = "./m"
  count = 2
  v = terraform_data.bad.input
}
