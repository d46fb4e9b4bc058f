module "m" { 
  source = "./m" 
  count = 2
  n = count.index
}
output "o" { value = module.m[*].o }
output "sec" { 
  value = module.m[0].s 
  sensitive = true
  }
