resource "terraform_data" "b" { input = 2 }
locals { m = 1 }
variable "v" {}
output "o" { value = 1 }
module "m" { source = "./m" }
provider "mock" { alias = "x" }
moved {
  from = terraform_data.x
  to   = terraform_data.a
}
check "c" {}
resource "terraform_data" "a" {
  depends_on = [terraform_data.z]
  lifecycle {
    precondition {
      condition     = local.l == 1
      error_message = "x"
    }
  }
}
