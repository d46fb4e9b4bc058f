variable "l" { 
  type = list(string) 
  default = []
}
variable "o" { 
  type = object({a=number, b=optional(string, "dflt")}) 
  default = {a = 5}
  nullable = false
}
output "o" { value = [var.l, var.o] }
