output "o" { value = "" }
