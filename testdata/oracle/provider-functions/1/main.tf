terraform {
  required_providers {
    mock = {
      source = "xplan/mock"
    }
  }
}

resource "terraform_data" "up" {
  input = "x"
}
locals {
  un = terraform_data.up.id
}
output "all" {
  value = {
    echo     = provider::mock::echo("hello")
    const    = provider::mock::const()
    any      = provider::mock::any({ a = [1, "b"] })
    anynull  = provider::mock::any(null)
    nullable = provider::mock::nullable(null)
    join     = provider::mock::join(",", "a", "b")
    join0    = provider::mock::join(",")
    list     = provider::mock::list(["1", 2])
    obj      = provider::mock::obj({ a = 1, b = "2", c = 3 })
    expand   = provider::mock::join([",", "x"]...)
    secret   = nonsensitive(provider::mock::echo(sensitive("s")))
  }
}
output "unknown" {
  value = [provider::mock::echo(local.un), provider::mock::unknowns(local.un), provider::mock::any(local.un), provider::mock::list([length(local.un)])]
}
resource "mock_r" "a" {
  name = provider::mock::echo("a")
  text = provider::mock::echo(local.un)
}
