output "net" { value = path.module }
