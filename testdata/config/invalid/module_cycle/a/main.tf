module "b" { source = "../b" }
