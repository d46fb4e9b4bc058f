terraform {
  required_providers {
    mock = {
      source = "xplan/mock"
    }
  }
}

output "o0" {
  value = provider::mock::echo(null)
}

output "o1" {
  value = provider::mock::fails("a", "b")
}

output "o2" {
  value = provider::mock::fails_variadic("a", "b", "c")
}

output "o3" {
  value = provider::mock::fails_whole("a")
}

output "o4" {
  value = provider::mock::echo()
}

output "o5" {
  value = provider::mock::echo("a", "b")
}

output "o8" {
  value = provider::mock::list("a")
}

output "o9" {
  value = provider::mock::obj({ a = 1 })
}

output "o10" {
  value = provider::mock::join(",", null)
}
