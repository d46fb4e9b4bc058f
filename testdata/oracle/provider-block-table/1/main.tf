terraform {
  required_providers {
    mock = {
      source = "xplan/mock"
    }
  }
}

resource "mock_required" "equal" {
  title = "equal"

  rule {
    name = "a"
  }
}

resource "mock_required" "different" {
  title = "different"

  rule {
    name = "a"
  }
}

resource "mock_required" "grown" {
  title = "grown"

  rule {
    name = "a"
  }
}

resource "mock_required" "shrunk" {
  title = "shrunk"

  rule {
    name = "a"
  }

  rule {
    name = "c"
  }
}

resource "mock_required" "turned" {
  title = "turned"

  rule {
    name = "a"
  }

  rule {
    name = "c"
  }
}

resource "mock_single" "equal" {
  title = "equal"

  rule {
    name = "a"
  }
}

resource "mock_single" "different" {
  title = "different"

  rule {
    name = "a"
  }
}

resource "mock_single" "removed" {
  title = "removed"

  rule {
    name = "a"
  }
}

resource "mock_single" "added" {
  title = "added"
}

resource "mock_single" "unset" {
  title = "unset"
}

resource "mock_group" "equal" {
  title = "equal"

  rule {
    name = "a"
  }
}

resource "mock_group" "different" {
  title = "different"

  rule {
    name = "a"
  }
}

resource "mock_group" "removed" {
  title = "removed"

  rule {
    name = "a"
  }
}

resource "mock_group" "added" {
  title = "added"
}

resource "mock_group" "unset" {
  title = "unset"
}

resource "mock_list" "equal" {
  title = "equal"

  rule {
    name = "a"
  }
}

resource "mock_list" "different" {
  title = "different"

  rule {
    name = "a"
  }
}

resource "mock_list" "removed" {
  title = "removed"

  rule {
    name = "a"
  }
}

resource "mock_list" "added" {
  title = "added"
}

resource "mock_list" "unset" {
  title = "unset"
}

resource "mock_list" "grown" {
  title = "grown"

  rule {
    name = "a"
  }
}

resource "mock_list" "shrunk" {
  title = "shrunk"

  rule {
    name = "a"
  }

  rule {
    name = "c"
  }
}

resource "mock_list" "turned" {
  title = "turned"

  rule {
    name = "a"
  }

  rule {
    name = "c"
  }
}

resource "mock_set" "equal" {
  title = "equal"

  rule {
    name = "a"
  }
}

resource "mock_set" "different" {
  title = "different"

  rule {
    name = "a"
  }
}

resource "mock_set" "removed" {
  title = "removed"

  rule {
    name = "a"
  }
}

resource "mock_set" "added" {
  title = "added"
}

resource "mock_set" "unset" {
  title = "unset"
}

resource "mock_set" "grown" {
  title = "grown"

  rule {
    name = "a"
  }
}

resource "mock_set" "shrunk" {
  title = "shrunk"

  rule {
    name = "a"
  }

  rule {
    name = "c"
  }
}

resource "mock_set" "turned" {
  title = "turned"

  rule {
    name = "a"
  }

  rule {
    name = "c"
  }
}

resource "mock_map" "equal" {
  title = "equal"

  rule "k1" {
    name = "a"
  }
}

resource "mock_map" "different" {
  title = "different"

  rule "k1" {
    name = "a"
  }
}

resource "mock_map" "removed" {
  title = "removed"

  rule "k1" {
    name = "a"
  }
}

resource "mock_map" "added" {
  title = "added"
}

resource "mock_map" "unset" {
  title = "unset"
}

resource "mock_map" "grown" {
  title = "grown"

  rule "k1" {
    name = "a"
  }
}

resource "mock_map" "shrunk" {
  title = "shrunk"

  rule "k1" {
    name = "a"
  }

  rule "k2" {
    name = "c"
  }
}

resource "mock_map" "turned" {
  title = "turned"

  rule "k1" {
    name = "a"
  }

  rule "k2" {
    name = "c"
  }
}

resource "mock_deep" "replaced" {
  title = "replaced"

  rule {
    name = "a"
    part {
      size = 1
    }
    part {
    }
  }
}

resource "mock_deep" "dynamic" {
  title = "dynamic"

  dynamic "rule" {
    for_each = ["x", "y"]
    content {
      name = rule.value
    }
  }
}

resource "mock_nested" "all" {
  title = "all"
  one   = { name = "a" }
  many  = [{ name = "a" }, { name = "b", note = "n" }]
  some  = [{ name = "a" }, { name = "b", note = "n" }]
  keyed = { k = { name = "a" }, l = { name = "b" } }
}

resource "mock_nested" "none" {
  title = "none"
}

resource "mock_nested" "empty" {
  title = "empty"
  many  = []
  some  = []
  keyed = {}
}

resource "mock_nested" "removed" {
  title = "removed"
  one   = { name = "a" }
  many  = [{ name = "a" }]
  some  = [{ name = "a" }]
  keyed = { k = { name = "a" } }
}

resource "mock_secret" "kept" {
  title = "kept"
  rule {
    secret = "s"
    plain  = "p"
  }
  rule {
    plain = sensitive("q")
  }
}
