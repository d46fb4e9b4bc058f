variable "bad" {
  type    = bool
  default = false
}
locals {
  limits = { low = 1, high = 5 }
  zones  = ["a", "b"]
}
resource "terraform_data" "a" {
  input = "x"
  lifecycle {
    precondition {
      condition     = !var.bad || contains(local.zones, "c") || local.limits.low > 3
      error_message = "pre a"
    }
    postcondition {
      condition     = self.input == "x" && !var.bad
      error_message = "post a"
    }
  }
}
data "terraform_remote_state" "d" {
  backend = "local"
  config  = { path = "keep.s.json" }
  lifecycle {
    precondition {
      condition     = !var.bad
      error_message = "pre d"
    }
  }
}
data "terraform_remote_state" "e" {
  backend = "local"
  config  = { path = "keep.s.json" }
  lifecycle {
    postcondition {
      condition     = !var.bad || self.backend == "q"
      error_message = "post d"
    }
  }
}
module "m" {
  source = "./m"
  bad    = var.bad
}
check "c" {
  assert {
    condition     = !var.bad
    error_message = "chk"
  }
}
output "o" {
  value = "v"
  precondition {
    condition     = !var.bad
    error_message = "out"
  }
}
resource "terraform_data" "free" {
  input = var.bad
}
output "free" {
  value = terraform_data.free.output
}
