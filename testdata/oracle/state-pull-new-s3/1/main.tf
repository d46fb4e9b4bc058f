terraform {
  backend "s3" {
    bucket         = "tfb"
    key            = "net/terraform.tfstate"
    use_path_style = true
  }
}

output "a" {
  value = 1
}
