terraform {
  required_providers {
    mock = { source = "xplan/mock" }
  }
}

variable "file" {
  default = "secret.txt"
  validation {
    condition     = var.file != "secret.txt"
    error_message = "Not this one."
  }
}

variable "ok" {
  default = "fine"
  validation {
    condition     = length(var.ok) > 2
    error_message = "Too short."
  }
}

locals {
  path   = "./${var.file}"
  second = { of = local.path }
}

data "mock_d" "local" {
  of = local.second.of
}

data "mock_d" "fine" {
  of = var.ok
}

resource "mock_r" "local" {
  name = local.path
}

module "m" {
  source = "./m"
  given  = local.path
}

output "text" {
  value = local.path
}

output "file" {
  value = file(local.path)
}
