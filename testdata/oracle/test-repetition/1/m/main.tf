variable "x" {
}
output "y" {
  value = "${var.x} out"
}
output "obj" {
  value = { a = 1, b = [true, null] }
}
