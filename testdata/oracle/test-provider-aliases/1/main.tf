terraform {
  required_providers {
    terraform = {
      source = "terraform.io/builtin/terraform"
      configuration_aliases = [terraform.b]
    }
  }
}
resource "terraform_data" "d" { input = 1 }
resource "terraform_data" "b" { 
 provider = terraform.b
 input = 1 
}
module "m" { 
  source = "./m" 
  providers = { terraform = terraform.b }
}
output "o" { value = [terraform_data.d.id, terraform_data.b.id, module.m.o] }
