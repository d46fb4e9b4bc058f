module "none" {}
module "variable" { source = var.x }
module "missing" { source = "./nope" }
module "bare" { source = "m" }
module "empty" { source = "" }
module "registry" { source = "acme/thing/cloud" }
module "git" { source = "git::https://example.com/x.git?ref=v1" }
module "versioned" {
  source  = "./m"
  version = "1.0"
}
module "bad_version" {
  source  = "acme/other/cloud"
  version = "x"
}
variable "x" {}
