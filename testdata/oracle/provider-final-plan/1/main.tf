terraform {
  required_providers {
    mock = {
      source = "xplan/mock"
    }
  }
}

resource "mock_make" "fine" {
  name = "fine"
  text   = "t"
  note   = "n"
  num    = 1
  list   = ["a", "b"]
  map    = { a = "1" }
  set    = ["a", "b"]
  any    = { a = [1] }
  hidden = "h"
  nested = { key = "k" }
  nlist  = [{ key = "k" }, { key = "l" }]
  nset   = [{ key = "k" }]
  nmap   = { a = { key = "k" } }
  ncomp  = [{ key = "k" }]
  one {
    key = "k"
  }
  rule {
    key = "k"
  }
  rule {
    key = "l"
  }
  tag {
    key = "k"
  }
  entry "a" {
    key = "k"
  }
}

resource "mock_make" "made_changed" {
  name = "made_changed"
  text   = "t"
  note   = "n"
  num    = 1
  list   = ["a", "b"]
  map    = { a = "1" }
  set    = ["a", "b"]
  any    = { a = [1] }
  hidden = "h"
  nested = { key = "k" }
  nlist  = [{ key = "k" }, { key = "l" }]
  nset   = [{ key = "k" }]
  nmap   = { a = { key = "k" } }
  ncomp  = [{ key = "k" }]
  one {
    key = "k"
  }
  rule {
    key = "k"
  }
  rule {
    key = "l"
  }
  tag {
    key = "k"
  }
  entry "a" {
    key = "k"
  }
}

resource "mock_make" "made_unknown_again" {
  name = "made_unknown_again"
  text   = "t"
  note   = "n"
  num    = 1
  list   = ["a", "b"]
  map    = { a = "1" }
  set    = ["a", "b"]
  any    = { a = [1] }
  hidden = "h"
  nested = { key = "k" }
  nlist  = [{ key = "k" }, { key = "l" }]
  nset   = [{ key = "k" }]
  nmap   = { a = { key = "k" } }
  ncomp  = [{ key = "k" }]
  one {
    key = "k"
  }
  rule {
    key = "k"
  }
  rule {
    key = "l"
  }
  tag {
    key = "k"
  }
  entry "a" {
    key = "k"
  }
}

resource "mock_make" "note_changed" {
  name = "note_changed"
  text   = "t"
  note   = "n"
  num    = 1
  list   = ["a", "b"]
  map    = { a = "1" }
  set    = ["a", "b"]
  any    = { a = [1] }
  hidden = "h"
  nested = { key = "k" }
  nlist  = [{ key = "k" }, { key = "l" }]
  nset   = [{ key = "k" }]
  nmap   = { a = { key = "k" } }
  ncomp  = [{ key = "k" }]
  one {
    key = "k"
  }
  rule {
    key = "k"
  }
  rule {
    key = "l"
  }
  tag {
    key = "k"
  }
  entry "a" {
    key = "k"
  }
}

resource "mock_make" "text_changed" {
  name = "text_changed"
  text   = "t"
  note   = "n"
  num    = 1
  list   = ["a", "b"]
  map    = { a = "1" }
  set    = ["a", "b"]
  any    = { a = [1] }
  hidden = "h"
  nested = { key = "k" }
  nlist  = [{ key = "k" }, { key = "l" }]
  nset   = [{ key = "k" }]
  nmap   = { a = { key = "k" } }
  ncomp  = [{ key = "k" }]
  one {
    key = "k"
  }
  rule {
    key = "k"
  }
  rule {
    key = "l"
  }
  tag {
    key = "k"
  }
  entry "a" {
    key = "k"
  }
}

resource "mock_make" "null" {
  name = "null"
  text   = "t"
  note   = "n"
  num    = 1
  list   = ["a", "b"]
  map    = { a = "1" }
  set    = ["a", "b"]
  any    = { a = [1] }
  hidden = "h"
  nested = { key = "k" }
  nlist  = [{ key = "k" }, { key = "l" }]
  nset   = [{ key = "k" }]
  nmap   = { a = { key = "k" } }
  ncomp  = [{ key = "k" }]
  one {
    key = "k"
  }
  rule {
    key = "k"
  }
  rule {
    key = "l"
  }
  tag {
    key = "k"
  }
  entry "a" {
    key = "k"
  }
}

resource "mock_make" "wrong_type" {
  name = "wrong_type"
  text   = "t"
  note   = "n"
  num    = 1
  list   = ["a", "b"]
  map    = { a = "1" }
  set    = ["a", "b"]
  any    = { a = [1] }
  hidden = "h"
  nested = { key = "k" }
  nlist  = [{ key = "k" }, { key = "l" }]
  nset   = [{ key = "k" }]
  nmap   = { a = { key = "k" } }
  ncomp  = [{ key = "k" }]
  one {
    key = "k"
  }
  rule {
    key = "k"
  }
  rule {
    key = "l"
  }
  tag {
    key = "k"
  }
  entry "a" {
    key = "k"
  }
}

resource "mock_make" "fails" {
  name = "fails"
  text   = "t"
  note   = "n"
  num    = 1
  list   = ["a", "b"]
  map    = { a = "1" }
  set    = ["a", "b"]
  any    = { a = [1] }
  hidden = "h"
  nested = { key = "k" }
  nlist  = [{ key = "k" }, { key = "l" }]
  nset   = [{ key = "k" }]
  nmap   = { a = { key = "k" } }
  ncomp  = [{ key = "k" }]
  one {
    key = "k"
  }
  rule {
    key = "k"
  }
  rule {
    key = "l"
  }
  tag {
    key = "k"
  }
  entry "a" {
    key = "k"
  }
}

resource "mock_make" "warns" {
  name = "warns"
  text   = "t"
  note   = "n"
  num    = 1
  list   = ["a", "b"]
  map    = { a = "1" }
  set    = ["a", "b"]
  any    = { a = [1] }
  hidden = "h"
  nested = { key = "k" }
  nlist  = [{ key = "k" }, { key = "l" }]
  nset   = [{ key = "k" }]
  nmap   = { a = { key = "k" } }
  ncomp  = [{ key = "k" }]
  one {
    key = "k"
  }
  rule {
    key = "k"
  }
  rule {
    key = "l"
  }
  tag {
    key = "k"
  }
  entry "a" {
    key = "k"
  }
}

resource "mock_make" "private" {
  name = "private"
  text   = "t"
  note   = "n"
  num    = 1
  list   = ["a", "b"]
  map    = { a = "1" }
  set    = ["a", "b"]
  any    = { a = [1] }
  hidden = "h"
  nested = { key = "k" }
  nlist  = [{ key = "k" }, { key = "l" }]
  nset   = [{ key = "k" }]
  nmap   = { a = { key = "k" } }
  ncomp  = [{ key = "k" }]
  one {
    key = "k"
  }
  rule {
    key = "k"
  }
  rule {
    key = "l"
  }
  tag {
    key = "k"
  }
  entry "a" {
    key = "k"
  }
}

resource "mock_make" "list" {
  name = "list"
  text   = "t"
  note   = "n"
  num    = 1
  list   = ["a", "b"]
  map    = { a = "1" }
  set    = ["a", "b"]
  any    = { a = [1] }
  hidden = "h"
  nested = { key = "k" }
  nlist  = [{ key = "k" }, { key = "l" }]
  nset   = [{ key = "k" }]
  nmap   = { a = { key = "k" } }
  ncomp  = [{ key = "k" }]
  one {
    key = "k"
  }
  rule {
    key = "k"
  }
  rule {
    key = "l"
  }
  tag {
    key = "k"
  }
  entry "a" {
    key = "k"
  }
}

resource "mock_make" "replace" {
  name = "replace"
  text   = "t"
  note   = "n"
  num    = 1
  list   = ["a", "b"]
  map    = { a = "1" }
  set    = ["a", "b"]
  any    = { a = [1] }
  hidden = "h"
  nested = { key = "k" }
  nlist  = [{ key = "k" }, { key = "l" }]
  nset   = [{ key = "k" }]
  nmap   = { a = { key = "k" } }
  ncomp  = [{ key = "k" }]
  one {
    key = "k"
  }
  rule {
    key = "k"
  }
  rule {
    key = "l"
  }
  tag {
    key = "k"
  }
  entry "a" {
    key = "k"
  }
}

resource "mock_make" "ncomp_more" {
  name = "ncomp_more"
}

resource "mock_make" "known_to_unknown" {
  name = "known_to_unknown"
  text   = "t"
  note   = "n"
  num    = 1
  list   = ["a", "b"]
  map    = { a = "1" }
  set    = ["a", "b"]
  any    = { a = [1] }
  hidden = "h"
  nested = { key = "k" }
  nlist  = [{ key = "k" }, { key = "l" }]
  nset   = [{ key = "k" }]
  nmap   = { a = { key = "k" } }
  ncomp  = [{ key = "k" }]
  one {
    key = "k"
  }
  rule {
    key = "k"
  }
  rule {
    key = "l"
  }
  tag {
    key = "k"
  }
  entry "a" {
    key = "k"
  }
}
