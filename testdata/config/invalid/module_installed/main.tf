module "old" {
  source  = "acme/thing/cloud"
  version = "~> 2.0"
}
module "moved" {
  source = "acme/elsewhere/cloud"
}
module "gone" {
  source = "acme/gone/cloud"
}
