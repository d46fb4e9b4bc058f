terraform {
  required_providers {
    mock = { source = "xplan/mock" }
  }
}

resource "mock_a" "r0" {
  a = "a"
  l = [
    "1",
    "2",
  ]
  mp = {
    p = "1"
    q = "2"
  }
  n = [
    { v = "1" },
  ]
  b {
    x = "1"
    c { y = "1" }
    c {
      y = "2"
    }
  }
  b {
    x = "2"
  }
  m "j" {
    x = "1"
  }
  m "k" {
    x = "2"
  }
  o {
    x = "1"
  }
}

resource "mock_a" "r1" {
  a = "miss"
  l = [
    "1",
    "2",
  ]
  mp = {
    p = "1"
    q = "2"
  }
  n = [
    { v = "1" },
  ]
  b {
    x = "1"
    c { y = "1" }
    c {
      y = "2"
    }
  }
  b {
    x = "2"
  }
  m "j" {
    x = "1"
  }
  m "k" {
    x = "2"
  }
  o {
    x = "1"
  }
}

resource "mock_a" "r2" {
  a = "b.1.x"
  l = [
    "1",
    "2",
  ]
  mp = {
    p = "1"
    q = "2"
  }
  n = [
    { v = "1" },
  ]
  b {
    x = "1"
    c { y = "1" }
    c {
      y = "2"
    }
  }
  b {
    x = "2"
  }
  m "j" {
    x = "1"
  }
  m "k" {
    x = "2"
  }
  o {
    x = "1"
  }
}

resource "mock_a" "r3" {
  a = "b.1.miss"
  l = [
    "1",
    "2",
  ]
  mp = {
    p = "1"
    q = "2"
  }
  n = [
    { v = "1" },
  ]
  b {
    x = "1"
    c { y = "1" }
    c {
      y = "2"
    }
  }
  b {
    x = "2"
  }
  m "j" {
    x = "1"
  }
  m "k" {
    x = "2"
  }
  o {
    x = "1"
  }
}

resource "mock_a" "r4" {
  a = "b.2"
  l = [
    "1",
    "2",
  ]
  mp = {
    p = "1"
    q = "2"
  }
  n = [
    { v = "1" },
  ]
  b {
    x = "1"
    c { y = "1" }
    c {
      y = "2"
    }
  }
  b {
    x = "2"
  }
  m "j" {
    x = "1"
  }
  m "k" {
    x = "2"
  }
  o {
    x = "1"
  }
}

resource "mock_a" "r5" {
  a = "b.0.c.1.y"
  l = [
    "1",
    "2",
  ]
  mp = {
    p = "1"
    q = "2"
  }
  n = [
    { v = "1" },
  ]
  b {
    x = "1"
    c { y = "1" }
    c {
      y = "2"
    }
  }
  b {
    x = "2"
  }
  m "j" {
    x = "1"
  }
  m "k" {
    x = "2"
  }
  o {
    x = "1"
  }
}

resource "mock_a" "r6" {
  a = "m.\"k\".x"
  l = [
    "1",
    "2",
  ]
  mp = {
    p = "1"
    q = "2"
  }
  n = [
    { v = "1" },
  ]
  b {
    x = "1"
    c { y = "1" }
    c {
      y = "2"
    }
  }
  b {
    x = "2"
  }
  m "j" {
    x = "1"
  }
  m "k" {
    x = "2"
  }
  o {
    x = "1"
  }
}

resource "mock_a" "r7" {
  a = "m.\"z\".x"
  l = [
    "1",
    "2",
  ]
  mp = {
    p = "1"
    q = "2"
  }
  n = [
    { v = "1" },
  ]
  b {
    x = "1"
    c { y = "1" }
    c {
      y = "2"
    }
  }
  b {
    x = "2"
  }
  m "j" {
    x = "1"
  }
  m "k" {
    x = "2"
  }
  o {
    x = "1"
  }
}

resource "mock_a" "r8" {
  a = "o.x"
  l = [
    "1",
    "2",
  ]
  mp = {
    p = "1"
    q = "2"
  }
  n = [
    { v = "1" },
  ]
  b {
    x = "1"
    c { y = "1" }
    c {
      y = "2"
    }
  }
  b {
    x = "2"
  }
  m "j" {
    x = "1"
  }
  m "k" {
    x = "2"
  }
  o {
    x = "1"
  }
}

resource "mock_a" "r9" {
  a = "o.miss"
  l = [
    "1",
    "2",
  ]
  mp = {
    p = "1"
    q = "2"
  }
  n = [
    { v = "1" },
  ]
  b {
    x = "1"
    c { y = "1" }
    c {
      y = "2"
    }
  }
  b {
    x = "2"
  }
  m "j" {
    x = "1"
  }
  m "k" {
    x = "2"
  }
  o {
    x = "1"
  }
}

resource "mock_a" "r10" {
  a = "n.0"
  l = [
    "1",
    "2",
  ]
  mp = {
    p = "1"
    q = "2"
  }
  n = [
    { v = "1" },
  ]
  b {
    x = "1"
    c { y = "1" }
    c {
      y = "2"
    }
  }
  b {
    x = "2"
  }
  m "j" {
    x = "1"
  }
  m "k" {
    x = "2"
  }
  o {
    x = "1"
  }
}

resource "mock_a" "r11" {
  a = "l.1"
  l = [
    "1",
    "2",
  ]
  mp = {
    p = "1"
    q = "2"
  }
  n = [
    { v = "1" },
  ]
  b {
    x = "1"
    c { y = "1" }
    c {
      y = "2"
    }
  }
  b {
    x = "2"
  }
  m "j" {
    x = "1"
  }
  m "k" {
    x = "2"
  }
  o {
    x = "1"
  }
}

resource "mock_a" "r12" {
  a = "mp.\"q\""
  l = [
    "1",
    "2",
  ]
  mp = {
    p = "1"
    q = "2"
  }
  n = [
    { v = "1" },
  ]
  b {
    x = "1"
    c { y = "1" }
    c {
      y = "2"
    }
  }
  b {
    x = "2"
  }
  m "j" {
    x = "1"
  }
  m "k" {
    x = "2"
  }
  o {
    x = "1"
  }
}
