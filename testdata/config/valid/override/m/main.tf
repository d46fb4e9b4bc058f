variable "v" {}
variable "w" {}
