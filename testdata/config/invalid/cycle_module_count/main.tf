module "m" {
  source = "./m"
  count  = length(module.m[0].o)
}
