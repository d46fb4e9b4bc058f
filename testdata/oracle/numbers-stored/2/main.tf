output "x" {
  value = [1, 1 / 0]
}
