output "region" {
  value = "of setup"
}
