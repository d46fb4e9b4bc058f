variable "name" { type = string }
variable "port" {
  type = number
  validation {
    condition     = var.port > 1023
    error_message = "Services use ports above 1023."
  }
}
variable "replicas" { type = number }
variable "network_id" { type = string }
variable "tags" { type = map(string) }

resource "terraform_data" "instance" {
  count            = var.replicas
  triggers_replace = var.network_id
  input = {
    name = "${var.name}-${count.index}"
    tags = merge(var.tags, { service = var.name })
  }
}

resource "terraform_data" "endpoint" {
  input = {
    url      = format("https://%s.example.com:%d", var.name, var.port)
    backends = terraform_data.instance[*].id
  }
}

output "endpoint" { value = terraform_data.endpoint.input.url }
