variable "on" { default = false }
module "m" {
  source = "./m"
  count  = var.on ? 1 : 0
  i      = 1 + "x"
  j      = "x"
}
