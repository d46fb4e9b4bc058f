terraform {
  required_providers {
    mock = { source = "xplan/mock" }
  }
}
resource "terraform_data" "t" {
  input = { for k in split("", "abcdefghijklmn") : k => k }
}
resource "mock_r" "r" {
  name = terraform_data.t.output.a
  objs = [{ a = terraform_data.t.output.b }, { b = terraform_data.t.output.c }]
  rule {
    k = terraform_data.t.output.d
    l = terraform_data.t.output.e
  }
  rule {
    k = terraform_data.t.output.f
    deep {
      v = terraform_data.t.output.g
    }
    deep {
      v = terraform_data.t.output.h
    }
  }
  one {
    k = terraform_data.t.output.i
    l = terraform_data.t.output.j
  }
  some {
    k = terraform_data.t.output.k
  }
  dynamic "made" {
    for_each = [terraform_data.t.output.l]
    content {
      k = made.value
      l = terraform_data.t.output.m
    }
  }
  keyed "q" {
    k = terraform_data.t.output.n
  }
}
output "o" {
  value = mock_r.r.rule[0].k
}
