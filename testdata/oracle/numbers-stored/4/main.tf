output "x" {
  value = pow(10, 10000)
}
