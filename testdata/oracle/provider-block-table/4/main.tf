terraform {
  required_providers {
    mock = {
      source = "xplan/mock"
    }
  }
}

resource "mock_list" "later" {
  title = "later"

  dynamic "rule" {
    for_each = mock_list.first.rule
    content {
      name = rule.value.made
    }
  }
}

resource "mock_list" "first" {
  title = "first"

  rule {
    name = "a"
  }
}

resource "mock_set" "unknown" {
  title = "unknown"

  dynamic "rule" {
    for_each = toset([mock_list.first.id])
    content {
      name = rule.value
    }
  }
  rule {
    name = "known"
  }
}
