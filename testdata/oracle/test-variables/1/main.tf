variable "from_default" {
  default = "default"
}
variable "from_env" {
  default = "default"
}
variable "from_file" {
  default = "default"
}
variable "from_auto" {
  default = "default"
}
variable "from_test_file" {
  default = "default"
}
variable "from_option" {
  default = "default"
}
variable "from_block" {
  default = "default"
}
variable "from_run" {
  default = "default"
}
output "all" {
  value = [var.from_default, var.from_env, var.from_file, var.from_auto, var.from_test_file, var.from_option, var.from_block, var.from_run]
}
