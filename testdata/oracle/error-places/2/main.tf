variable "x" { default = "x" }
module "m" {
  source = "./m"
  i      = var.x
}
