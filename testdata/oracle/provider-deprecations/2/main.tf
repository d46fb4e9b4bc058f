terraform {
  required_providers {
    mock = { source = "xplan/mock" }
  }
}

resource "mock_r" "a" {
  name = "v"
  rule {
    oldk = "1"
  }
  lifecycle {
    postcondition {
      condition     = self.old != "q"
      error_message = coalesce(self.oldc, "x")
    }
  }
}
resource "mock_r" "b" {
  count = 2
}
resource "mock_r" "c" {
  name  = mock_r.a.old
  force = coalesce(mock_r.b[0].old, mock_r.b[1].old, "x")
  lifecycle {
    replace_triggered_by = [mock_r.a.old]
  }
  depends_on = [mock_r.a]
}
resource "mock_r" "each" {
  for_each = { a = 1 }
  name     = each.key == "x" ? mock_r.a.old : "x"
  nest     = { oldn = "x" }
  oldobj   = { x = 1 }
}
resource "mock_old" "o" {
  name = "x"
}
data "mock_d" "d" {
  name = "x"
}
locals {
  l1 = mock_r.a.old
  l2 = [mock_r.a.rule[0].oldk, mock_r.a.oldrule, mock_old.o.id, mock_r.a.rule]
  l3 = mock_r.b[*].old
  l4 = [for x in mock_r.b : x.old]
  l5 = mock_r.a.oldrule[*].k
  l6 = data.mock_d.d.old
  l7 = mock_r.each["a"].nest.oldn
  l8 = try(mock_r.a.old, 1)
  l9 = mock_r.each["a"].oldobj.x
}
output "x" {
  value = mock_r.a.oldc
}
output "y" {
  value = data.mock_d.d.id
}
output "z" {
  value = local.l1
}
module "m" {
  source = "./m"
  v      = mock_r.a.old
}
check "c" {
  assert {
    condition     = mock_r.a.old != "x"
    error_message = coalesce(mock_r.a.old, "x")
  }
}
