output "here" {
  value = 1
}
