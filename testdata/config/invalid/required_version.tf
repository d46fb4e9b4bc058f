terraform {
  required_version = ">= 2.0"
}
terraform {
  required_version = "bogus"
}
terraform {
  required_version = ">= 1.0-beta1"
  language         = TF2022
}
terraform {
  required_version = var.x
}
