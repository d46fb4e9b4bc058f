a = "root terraform.tfvars"
b = "root terraform.tfvars"
c = "root terraform.tfvars"
