output "s" { value = path.module }
