module "m" {
  source = "./m"
  count  = 2
  v      = "x${count.index}"
  w      = count.index == 0
}
output "o" { value = module.m[*].o }
