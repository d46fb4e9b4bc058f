terraform {
  required_version = ">= 99.0"
}
terraform {
  required_version = "for another program"
}
