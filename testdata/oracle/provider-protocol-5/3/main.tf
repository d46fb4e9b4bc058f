terraform {
  required_providers {
    mock = { source = "xplan/mock" }
  }
  provider_meta "mock" {
    tool = "t"
  }
}
provider "mock" {
  region = "here"
  token  = "t"
}
ephemeral "mock_e" "e" {
  name = "e"
}
resource "mock_r" "a" {
  name = "bad"
}
