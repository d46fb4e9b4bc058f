variable "old" {
  default    = "x"
  deprecated = "Use new instead."
}
module "child" {
  source  = "./child"
  version = null
  old     = var.old
}
output "old" {
  value      = module.child.old
  type       = object({ a = number, b = optional(string, "b") })
  deprecated = "Use new instead."
}
