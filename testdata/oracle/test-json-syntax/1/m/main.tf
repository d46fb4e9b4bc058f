output "x" { value = "real" }
