c = "tests terraform.tfvars"
d = "tests terraform.tfvars"
