module "m" {
  source = "./m"
  x      = 1
  count  = 1
}
module "plain" {
  source = "./m/../m"
  x      = module.m[0].out
}
output "a" { value = module.m[0].out.x.y }
output "b" { value = module.m[*].out }
output "c" { value = module.plain }
output "d" { value = module.plain["out"] }
