variable "m" {
  type = any
  default = {} 
}
variable "one" { default = 1 }
check "one" {
  assert {
    condition = var.m.k == 1
    error_message = "bad"
  }
}
check "two" {
  assert {
    condition = tobool(var.m["zz"])
    error_message = "bad2"
  }
}
variable "n" { default = null }
check "three" {
  assert {
    condition = var.n > 3
    error_message = "bad3"
  }
}
check "four" {
  assert {
    condition = var.one > 3
    error_message = "bad4 ${var.m.k}"
  }
}
check "five" {
  assert {
    condition = var.one > 3
    error_message = "bad5 fails"
  }
  assert {
    condition = "hello${var.one}"
    error_message = "not a bool"
  }
  assert {
    condition = var.n
    error_message = "null cond"
  }
}
check "six" {
  assert {
    condition = var.one > 3
    error_message = "bad5 fails"
  }
}
resource "terraform_data" "a" { 
 input = var.one
 lifecycle { 
 postcondition {
  condition = self.input == 1
  error_message = "no"
 }
}
}
output "x" {
 value = 1
 precondition {
  condition = var.one == 1
  error_message = "prec"
 }
}
