moved {
  from = terraform_data.q
  to   = terraform_data.z
}
moved {
  from = module.a.module.b["k"]
  to   = module.c[0]
}
moved {
  from = terraform_data.s
  to   = terraform_data.s
}
resource "terraform_data" "q" {}
