output "there" {
  value = var.absent
}
