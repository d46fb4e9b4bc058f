terraform {
  required_providers {
    mock = {
      source = "xplan/mock"
    }
  }
}

resource "terraform_data" "up" {
  input = "1"
}
data "mock_d" "now" {
  name = "now"
  text = "t"
  rule {
    key = "a"
  }
  tag {
    key = "b"
  }
}
data "mock_d" "unknown" {
  name = "unknown"
  text = terraform_data.up.id
  rule {
    key = terraform_data.up.id
  }
  one {
    key = "c"
  }
}
data "mock_d" "waits" {
  name       = "waits"
  depends_on = [terraform_data.up]
}
data "mock_d" "each" {
  for_each = toset(["a", "b"])
  name     = each.key
}
resource "mock_r" "uses" {
  name = "uses"
  text = data.mock_d.unknown.made
}
resource "mock_r" "known" {
  name = data.mock_d.now.name
  text = data.mock_d.now.hidden
}
output "items" {
  value = data.mock_d.now.items
}
output "later" {
  value = [data.mock_d.waits.made, data.mock_d.unknown.id]
}
