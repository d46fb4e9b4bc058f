terraform {
  required_version = ">= 1.0"
  foo              = 1
  experiments      = [x]
  blah {}
  backend "local" {
    path = var.x
  }
  backend "s3" {}
  cloud {}
  provider_meta "mock" {
    a = 1
  }
  required_providers {
    terraform = { source = "terraform.io/builtin/terraform", sourse = 1 }
    x         = { source = 1 }
    y         = { source = "a/b/c/d" }
    z         = { version = "bogus" }
    w         = 5
    u         = { source = "hashicorp/u", configuration_aliases = [u.a, u, v.b] }
    t         = { configuration_aliases = "t.a" }
    Mixed     = "1.0"
  }
  required_providers {}
}
variable "x" { default = "1" }
