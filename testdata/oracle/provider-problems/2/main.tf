terraform {
  required_providers {
    mock = {
      source = "xplan/mock"
    }
  }
}

resource "mock_plan" "e_text" {
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

resource "mock_plan" "e_name" {
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

resource "mock_plan" "e_unset" {
  name = "e_unset"
}

resource "mock_plan" "e_rule" {
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

resource "mock_plan" "e_no_rule" {
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

resource "mock_plan" "e_list" {
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

resource "mock_plan" "e_map" {
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

resource "mock_plan" "e_nothing" {
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

resource "mock_plan" "e_plain" {
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

resource "mock_plan" "e_two" {
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

resource "mock_plan" "e_deep" {
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

resource "mock_plan" "w_text" {
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

resource "mock_plan" "w_rule" {
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

resource "mock_plan" "w_plain" {
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

resource "mock_plan" "w_two" {
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
