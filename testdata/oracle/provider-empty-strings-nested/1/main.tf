terraform {
  required_providers {
    mock = { source = "xplan/mock" }
  }
}

resource "mock_a" "a" {
  x  = ""
  t  = ["", "1"]
  l  = ["", "1"]
  o  = [{ a = "", b = "1" }]
  nl = [{ v = "1", k = "" }]
  ns = [{ v = "1", k = "" }]
  nm = { a = { v = "1", k = "" } }
  no = { v = "1", k = "" }
  xl = [{ v = "", ob = { a = "" }, n = { v = "" } }]
  xs = [{ v = "", ob = { a = "" }, n = { v = "" } }]
  xm = { a = { v = "", ob = { a = "" }, n = { v = "" } } }
  bl {
    x = ""
    m = { a = { b = "", c = "1" } }
    l = ["", "1"]
    c {
      x = ""
      m = { a = { b = "", c = "1" } }
    }
  }
  bs {
    x = ""
    m = { a = { b = "", c = "1" } }
    l = ["", "1"]
    c {
      x = ""
      m = { a = { b = "", c = "1" } }
    }
  }
  bo {
    x = ""
    m = { a = { b = "", c = "1" } }
    l = ["", "1"]
    c {
      x = ""
      m = { a = { b = "", c = "1" } }
    }
  }
  bm "k" {
    x = ""
    m = { a = { b = "", c = "1" } }
    l = ["", "1"]
    c {
      x = ""
      m = { a = { b = "", c = "1" } }
    }
  }
}
