variable "a" {
  type = list(string
}
variable "b" {
  type = map(
}
variable "c" {
  type    = strin
  default = foo
}
variable "d" {
  default = foo.bar
}
