resource "a" "b" {
  tags = {
    x = 1

resource "c" "d" {
  y = 2
}
output "z" { value = 1 }
