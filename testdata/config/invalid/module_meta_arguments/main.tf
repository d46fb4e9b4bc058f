module "block_as_argument" {
  source   = "./m"
  provider = "x"
  locals   = {}
}
module "argument_as_block" {
  source = "./m"
  providers {
    terraform = terraform
  }
}
module "misspelt" {
  source    = "./m"
  depend_on = []
  foreach   = {}
}
