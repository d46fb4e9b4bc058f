locals {
  help = <<EOT
<<<<<<< HEAD
ours
=======
theirs
>>>>>>> branch
EOT
}
