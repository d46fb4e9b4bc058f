locals {
  a = <<EOT
text
EOT}
}
