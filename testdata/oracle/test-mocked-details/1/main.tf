terraform {
  required_providers {
    mock = {
      source = "xplan/mock"
    }
  }
}
provider "mock" {
  region = "broken"
}
resource "mock_bucket" "b" {
  name = "logs"
  rule {
    prefix = "a/"
  }
  rule {
    prefix = "b/"
    days   = 3
  }
}
resource "mock_instance" "i" {
  count = 2
  name  = "i${count.index}"
  image = data.mock_image.ubuntu.id
  disk  = [{ gb = 10 }, { gb = 20 }]
}
data "mock_image" "ubuntu" {
  name = "ubuntu"
}
output "arn" {
  value = mock_bucket.b.arn
}
output "zones" {
  value = data.mock_image.ubuntu.zones
}
