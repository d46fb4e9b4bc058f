terraform {
  required_providers {
    mock = { source = "xplan/mock" }
  }
}

resource "mock_a" "a" {
  x  = ""
  t  = ["", "2"]
  l  = ["", "2"]
  o  = [{ a = "", b = "2" }]
  nl = [{ v = "2", k = "" }]
  ns = [{ v = "2", k = "" }]
  nm = { a = { v = "2", k = "" } }
  no = { v = "2", k = "" }
  xl = [{ v = "now", ob = { a = "" }, n = { v = "" } }]
  xs = [{ v = "now", ob = { a = "" }, n = { v = "" } }]
  xm = { a = { v = "now", ob = { a = "" }, n = { v = "" } } }
  bl {
    x = ""
    m = { a = { b = "", c = "2" } }
    l = ["", "2"]
    c {
      x = ""
      m = { a = { b = "", c = "2" } }
    }
  }
  bs {
    x = ""
    m = { a = { b = "", c = "2" } }
    l = ["", "2"]
    c {
      x = ""
      m = { a = { b = "", c = "2" } }
    }
  }
  bo {
    x = ""
    m = { a = { b = "", c = "2" } }
    l = ["", "2"]
    c {
      x = ""
      m = { a = { b = "", c = "2" } }
    }
  }
  bm "k" {
    x = ""
    m = { a = { b = "", c = "2" } }
    l = ["", "2"]
    c {
      x = ""
      m = { a = { b = "", c = "2" } }
    }
  }
}
