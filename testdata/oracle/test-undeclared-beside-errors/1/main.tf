variable "name" {
  default = "x"
}
