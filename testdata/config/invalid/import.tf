import {
  to = terraform_data.a
}
import {
  id = "x"
}
import {
  to = data.foo.bar
  id = "x"
}
import {
  to = module.m
  id = "x"
}
import {
  to       = terraform_data.b[var.x]
  id       = var.y
  identity = {}
}
import {
  to = "terraform_data.c"
  id = 5
}
import {
  to = terraform_data.c[each.key]
  id = each.value
}
import {
  to = terraform_data.d.foo
  id = "x"
}
import {
  to = terraform_data.f
  id = "x"
}
import {
  to = terraform_data.f
  id = "y"
}
import {
  to       = terraform_data.g[each.key]
  id       = count.index
  for_each = each.key
}
resource "terraform_data" "f" {}
