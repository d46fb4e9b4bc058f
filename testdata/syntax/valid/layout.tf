# hash comment
// slash comment
/* block
   comment */
resource "aws_thing" "one" { # trailing
  input = { # after brace
    a = 1, // comma
    b : 2 /* inline */
    "c" = 3
    (join("", ["d", "e"])) = 4
    5 = "number key"
  }

}

resource aws_thing two { input = [
  1,
  2, # last comma
] }
locals {
  long = (
    1 +
    2
  )
  cond = (
    true
    ? "yes"
    : "no"
  )
  neg = -(-3)
  idx = { a = { "b c" = [10, 20] } }.a["b c"][1]
}
locals {}
variable "x" { type = string }
variable "y" {
  validation {
    condition = alltrue([for s in var.y : can(regex("^x", s))])
  }
}
