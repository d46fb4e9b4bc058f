output "x" {
  description = "No value."

}
variable "v" {
  validation {
    condition = var.v == 1

  }
}
moved {
  from = terraform_data.a

}
removed {

}
import {
  to = terraform_data.a

}
