moved {
  from = terraform_data.a
  to   = module.x
}
moved {
  from = terraform_data.a[0]
}
moved {
  from = terraform_data.a[count.index]
  to   = terraform_data.b["x"].foo
}
moved {
  from = "terraform_data.a"
  to   = var.x
}
moved {
  from = module.a[0].terraform_data.b
  to   = resource.terraform_data.b
  foo  = 1
}
moved {
  from = terraform_data
  to   = module
}
moved {
  from = data.a.b
  to   = a.b
}
moved {
  from = terraform_data.a[1.5]
  to   = terraform_data.b
}
