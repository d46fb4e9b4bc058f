terraform {
  required_providers {
    mock = {
      source = "xplan/mock"
    }
  }
}

resource "mock_edit" "fine" {
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

resource "mock_edit" "made_changed" {
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

resource "mock_edit" "made_unknown_again" {
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

resource "mock_edit" "note_changed" {
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

resource "mock_edit" "text_changed" {
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

resource "mock_edit" "null" {
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

resource "mock_edit" "wrong_type" {
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

resource "mock_edit" "fails" {
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

resource "mock_edit" "warns" {
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

resource "mock_edit" "private" {
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

resource "mock_edit" "list" {
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

resource "mock_edit" "replace" {
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

resource "mock_edit" "ncomp_more" {
  name = "ncomp_more"
}

resource "mock_edit" "known_to_unknown" {
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
