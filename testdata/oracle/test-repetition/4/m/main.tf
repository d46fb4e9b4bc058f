output "a" {
  value = 1
}
output "b" {
  value     = "secret"
  sensitive = true
}
