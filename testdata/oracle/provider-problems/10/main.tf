terraform {
  required_providers {
    mock = {
      source = "xplan/mock"
    }
  }
}

provider "mock" {
  region = "slow"
  token  = "x"
}
provider "mock" {
  alias  = "w"
  region = "warn"
}
data "mock_data" "ok" {
  name = "ok"
  text = "t"
}
