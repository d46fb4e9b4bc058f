module "self" { source = "./" }
