output "nothing" { value = "left" }
