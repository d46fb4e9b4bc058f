terraform {
  required_providers {
    mock = {
      source = "xplan/mock"
    }
  }
}

provider "mock" {
  alias = "with"
}
ephemeral "mock_e" "k" {
  name = "k"
}
resource "mock_r" "a" {
  name = "a"
  text = ephemeral.mock_e.k.secret
}
output "o" {
  value = ephemeral.mock_e.k.secret
}
output "w" {
  value = mock_r.a.pw
}
