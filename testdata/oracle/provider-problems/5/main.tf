terraform {
  required_providers {
    mock = {
      source = "xplan/mock"
    }
  }
}

resource "mock_read" "w_text" {
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

resource "mock_read" "w_rule" {
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

resource "mock_read" "w_plain" {
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

resource "mock_read" "w_two" {
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
