moved {
  from = terraform_data.q[1]
  to   = terraform_data.q[0]
}
resource "terraform_data" "q" { count = 1 }
moved {
  from = terraform_data.r
  to   = terraform_data.r[0]
}
resource "terraform_data" "r" { count = 1 }
moved {
  from = module.m[0]
  to   = module.m
}
module "m" { source = "./m" }
moved {
  from = terraform_data.p[0]
  to   = terraform_data.pq
}
moved {
  from = terraform_data.p
  to   = terraform_data.pr
}
moved {
  from = terraform_data.t
  to   = terraform_data.u
}
moved {
  from = terraform_data.t
  to   = terraform_data.u
}
moved {
  from = terraform_data.v[0]
  to   = terraform_data.w
}
resource "terraform_data" "v" { count = var.n }
variable "n" {}
removed {
  from = terraform_data.gone
}
