terraform {
  required_providers {
    mock = {
      source = "xplan/mock"
    }
  }
}

resource "mock_validate" "w_text" {
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

resource "mock_validate" "w_rule" {
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

resource "mock_validate" "w_plain" {
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

resource "mock_validate" "w_two" {
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
