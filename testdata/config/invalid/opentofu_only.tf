language {
  edition = tofu2024
}
output "workspace" {
  value = tofu.workspace
}
