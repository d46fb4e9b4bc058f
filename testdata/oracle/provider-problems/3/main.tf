terraform {
  required_providers {
    mock = {
      source = "xplan/mock"
    }
  }
}

resource "mock_apply" "e_text" {
  name = "e_text"
  text   = "t"
  list   = ["a", "b"]
  map    = { a = "1", b = "2" }
  rule {
    key = "a"
    deep {
      key = "x"
    }
  }
  rule {
    key = "b"
  }
}

resource "mock_apply" "e_name" {
  name = "e_name"
  text   = "t"
  list   = ["a", "b"]
  map    = { a = "1", b = "2" }
  rule {
    key = "a"
    deep {
      key = "x"
    }
  }
  rule {
    key = "b"
  }
}

resource "mock_apply" "e_unset" {
  name = "e_unset"
}

resource "mock_apply" "e_rule" {
  name = "e_rule"
  text   = "t"
  list   = ["a", "b"]
  map    = { a = "1", b = "2" }
  rule {
    key = "a"
    deep {
      key = "x"
    }
  }
  rule {
    key = "b"
  }
}

resource "mock_apply" "e_no_rule" {
  name = "e_no_rule"
  text   = "t"
  list   = ["a", "b"]
  map    = { a = "1", b = "2" }
  rule {
    key = "a"
    deep {
      key = "x"
    }
  }
  rule {
    key = "b"
  }
}

resource "mock_apply" "e_list" {
  name = "e_list"
  text   = "t"
  list   = ["a", "b"]
  map    = { a = "1", b = "2" }
  rule {
    key = "a"
    deep {
      key = "x"
    }
  }
  rule {
    key = "b"
  }
}

resource "mock_apply" "e_map" {
  name = "e_map"
  text   = "t"
  list   = ["a", "b"]
  map    = { a = "1", b = "2" }
  rule {
    key = "a"
    deep {
      key = "x"
    }
  }
  rule {
    key = "b"
  }
}

resource "mock_apply" "e_nothing" {
  name = "e_nothing"
  text   = "t"
  list   = ["a", "b"]
  map    = { a = "1", b = "2" }
  rule {
    key = "a"
    deep {
      key = "x"
    }
  }
  rule {
    key = "b"
  }
}

resource "mock_apply" "e_plain" {
  name = "e_plain"
  text   = "t"
  list   = ["a", "b"]
  map    = { a = "1", b = "2" }
  rule {
    key = "a"
    deep {
      key = "x"
    }
  }
  rule {
    key = "b"
  }
}

resource "mock_apply" "e_two" {
  name = "e_two"
  text   = "t"
  list   = ["a", "b"]
  map    = { a = "1", b = "2" }
  rule {
    key = "a"
    deep {
      key = "x"
    }
  }
  rule {
    key = "b"
  }
}

resource "mock_apply" "e_deep" {
  name = "e_deep"
  text   = "t"
  list   = ["a", "b"]
  map    = { a = "1", b = "2" }
  rule {
    key = "a"
    deep {
      key = "x"
    }
  }
  rule {
    key = "b"
  }
}

resource "mock_apply" "w_text" {
  name = "w_text"
  text   = "t"
  list   = ["a", "b"]
  map    = { a = "1", b = "2" }
  rule {
    key = "a"
    deep {
      key = "x"
    }
  }
  rule {
    key = "b"
  }
}

resource "mock_apply" "w_rule" {
  name = "w_rule"
  text   = "t"
  list   = ["a", "b"]
  map    = { a = "1", b = "2" }
  rule {
    key = "a"
    deep {
      key = "x"
    }
  }
  rule {
    key = "b"
  }
}

resource "mock_apply" "w_plain" {
  name = "w_plain"
  text   = "t"
  list   = ["a", "b"]
  map    = { a = "1", b = "2" }
  rule {
    key = "a"
    deep {
      key = "x"
    }
  }
  rule {
    key = "b"
  }
}

resource "mock_apply" "w_two" {
  name = "w_two"
  text   = "t"
  list   = ["a", "b"]
  map    = { a = "1", b = "2" }
  rule {
    key = "a"
    deep {
      key = "x"
    }
  }
  rule {
    key = "b"
  }
}
