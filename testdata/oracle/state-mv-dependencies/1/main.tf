resource "terraform_data" "many" {
  count = 2
}

module "single" {
  source = "./m"
}

module "keyed" {
  source   = "./m"
  for_each = toset(["k", "l"])
}

module "nest" {
  source   = "./n"
  for_each = toset(["k"])
}

resource "terraform_data" "reads_many" {
  input = terraform_data.many[0].id
}

resource "terraform_data" "reads_single" {
  input = module.single.id
}

resource "terraform_data" "reads_keyed" {
  input = module.keyed["k"].id
}

resource "terraform_data" "reads_nest" {
  input = module.nest["k"].id
}
