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
    name = "b"
    note = "n"
  }
}

resource "mock_required" "fresh" {
  title = "fresh"

  rule {
    name = "a"
  }
}

resource "mock_required" "grown" {
  title = "grown"

  rule {
    name = "a"
  }

  rule {
    name = "c"
  }
}

resource "mock_required" "shrunk" {
  title = "shrunk"

  rule {
    name = "c"
  }
}

resource "mock_required" "turned" {
  title = "turned"

  rule {
    name = "c"
  }

  rule {
    name = "a"
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
    name = "b"
    note = "n"
  }
}

resource "mock_single" "fresh" {
  title = "fresh"

  rule {
    name = "a"
  }
}

resource "mock_single" "removed" {
  title = "removed"
}

resource "mock_single" "added" {
  title = "added"

  rule {
    name = "a"
  }
}

resource "mock_single" "unset" {
  title = "unset"
}

resource "mock_single" "fresh_unset" {
  title = "fresh_unset"
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
    name = "b"
    note = "n"
  }
}

resource "mock_group" "fresh" {
  title = "fresh"

  rule {
    name = "a"
  }
}

resource "mock_group" "removed" {
  title = "removed"
}

resource "mock_group" "added" {
  title = "added"

  rule {
    name = "a"
  }
}

resource "mock_group" "unset" {
  title = "unset"
}

resource "mock_group" "fresh_unset" {
  title = "fresh_unset"
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
    name = "b"
    note = "n"
  }
}

resource "mock_list" "fresh" {
  title = "fresh"

  rule {
    name = "a"
  }
}

resource "mock_list" "removed" {
  title = "removed"
}

resource "mock_list" "added" {
  title = "added"

  rule {
    name = "a"
  }
}

resource "mock_list" "unset" {
  title = "unset"
}

resource "mock_list" "fresh_unset" {
  title = "fresh_unset"
}

resource "mock_list" "grown" {
  title = "grown"

  rule {
    name = "a"
  }

  rule {
    name = "c"
  }
}

resource "mock_list" "shrunk" {
  title = "shrunk"

  rule {
    name = "c"
  }
}

resource "mock_list" "turned" {
  title = "turned"

  rule {
    name = "c"
  }

  rule {
    name = "a"
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
    name = "b"
    note = "n"
  }
}

resource "mock_set" "fresh" {
  title = "fresh"

  rule {
    name = "a"
  }
}

resource "mock_set" "removed" {
  title = "removed"
}

resource "mock_set" "added" {
  title = "added"

  rule {
    name = "a"
  }
}

resource "mock_set" "unset" {
  title = "unset"
}

resource "mock_set" "fresh_unset" {
  title = "fresh_unset"
}

resource "mock_set" "grown" {
  title = "grown"

  rule {
    name = "a"
  }

  rule {
    name = "c"
  }
}

resource "mock_set" "shrunk" {
  title = "shrunk"

  rule {
    name = "c"
  }
}

resource "mock_set" "turned" {
  title = "turned"

  rule {
    name = "c"
  }

  rule {
    name = "a"
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
    name = "b"
    note = "n"
  }
}

resource "mock_map" "fresh" {
  title = "fresh"

  rule "k1" {
    name = "a"
  }
}

resource "mock_map" "removed" {
  title = "removed"
}

resource "mock_map" "added" {
  title = "added"

  rule "k1" {
    name = "a"
  }
}

resource "mock_map" "unset" {
  title = "unset"
}

resource "mock_map" "fresh_unset" {
  title = "fresh_unset"
}

resource "mock_map" "grown" {
  title = "grown"

  rule "k1" {
    name = "a"
  }

  rule "k2" {
    name = "c"
  }
}

resource "mock_map" "shrunk" {
  title = "shrunk"

  rule "k2" {
    name = "c"
  }
}

resource "mock_map" "turned" {
  title = "turned"

  rule "k1" {
    name = "c"
  }

  rule "k2" {
    name = "a"
  }
}

resource "mock_deep" "replaced" {
  title = "replaced"

  rule {
    name = "a"
    part {
      size = 2
    }
    part {
    }
  }
}

resource "mock_deep" "dynamic" {
  title = "dynamic"

  dynamic "rule" {
    for_each = ["y", "z", "x"]
    iterator = it
    content {
      name = it.value
      dynamic "part" {
        for_each = [it.key]
        content {
          size = part.value
        }
      }
    }
  }
}

resource "mock_nested" "all" {
  title = "all"
  one   = { name = "b" }
  many  = [{ name = "b" }, { name = "b" }, { name = "c" }]
  some  = [{ name = "b", note = "other" }, { name = "c" }]
  keyed = { k = { name = "a", note = "new" }, m = { name = "c" } }
}

resource "mock_nested" "none" {
  title = "none"
  many  = []
  keyed = { k = { name = "a" } }
}

resource "mock_nested" "empty" {
  title = "empty"
}

resource "mock_nested" "removed" {
  title = "removed"
}

resource "mock_secret" "kept" {
  title = "kept"
  rule {
    secret = "t"
    plain  = "p"
  }
  rule {
    plain = "q"
  }
}
