output "there" {
  value = path.root
}
