locals { a = 1 }
resource "x" "y" {
  c = <<EOT
line
EOT
}
