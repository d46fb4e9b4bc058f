output "a" { value = "${1 + 2" }
output "b" {
  value = "${"
}
output "c" {
  value = "x ${"
