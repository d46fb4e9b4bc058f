module "m" {
  source = "./m"
  x      = 1
  y      = 2
  count  = 1
}
module "m" {
  source = "./m"
}
module "9" {
  source = "./m"
  x      = 1
  yy     = 1
}
module "plain" {
  source = "./m"
  x      = 1
  yy     = 1
}
output "a" { value = module.m[0].bogus }
output "b" { value = module.nope.x }
output "c" { value = module.m.out }
output "d" { value = module.plain[0].out }
output "e" { value = module.plain.outt }
output "f" { value = module.plane.out }
