terraform {
  required_providers {
    mock = {
      source = "xplan/mock"
    }
  }
}

resource "mock_later" "fine" {
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

resource "mock_later" "text_changed" {
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

resource "mock_later" "text_from_null" {
  name = "text_from_null"
}

resource "mock_later" "text_to_null" {
  name = "text_to_null"
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

resource "mock_later" "text_unknown" {
  name = "text_unknown"
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

resource "mock_later" "hidden_changed" {
  name = "hidden_changed"
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

resource "mock_later" "note_changed" {
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

resource "mock_later" "note_from_null" {
  name = "note_from_null"
}

resource "mock_later" "note_unknown" {
  name = "note_unknown"
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

resource "mock_later" "note_to_null" {
  name = "note_to_null"
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

resource "mock_later" "num_changed" {
  name = "num_changed"
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

resource "mock_later" "list_element" {
  name = "list_element"
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

resource "mock_later" "list_length" {
  name = "list_length"
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

resource "mock_later" "list_null" {
  name = "list_null"
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

resource "mock_later" "list_element_unknown" {
  name = "list_element_unknown"
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

resource "mock_later" "map_key" {
  name = "map_key"
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

resource "mock_later" "set_changed" {
  name = "set_changed"
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

resource "mock_later" "set_fewer" {
  name = "set_fewer"
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

resource "mock_later" "any_changed" {
  name = "any_changed"
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

resource "mock_later" "any_unknown" {
  name = "any_unknown"
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

resource "mock_later" "secret_set" {
  name = "secret_set"
}

resource "mock_later" "nested_key" {
  name = "nested_key"
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

resource "mock_later" "nested_made" {
  name = "nested_made"
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

resource "mock_later" "nested_null" {
  name = "nested_null"
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

resource "mock_later" "nested_unknown" {
  name = "nested_unknown"
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

resource "mock_later" "nested_from_null" {
  name = "nested_from_null"
}

resource "mock_later" "nlist_key" {
  name = "nlist_key"
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

resource "mock_later" "nlist_fewer" {
  name = "nlist_fewer"
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

resource "mock_later" "nlist_null" {
  name = "nlist_null"
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

resource "mock_later" "nlist_empty_from_null" {
  name = "nlist_empty_from_null"
}

resource "mock_later" "nlist_unknown" {
  name = "nlist_unknown"
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

resource "mock_later" "nlist_element_unknown" {
  name = "nlist_element_unknown"
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

resource "mock_later" "nset_more" {
  name = "nset_more"
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

resource "mock_later" "tag_more" {
  name = "tag_more"
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

resource "mock_later" "nset_changed" {
  name = "nset_changed"
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

resource "mock_later" "nset_fewer" {
  name = "nset_fewer"
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

resource "mock_later" "nset_made" {
  name = "nset_made"
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

resource "mock_later" "nmap_key" {
  name = "nmap_key"
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

resource "mock_later" "nmap_changed" {
  name = "nmap_changed"
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

resource "mock_later" "ncomp_changed" {
  name = "ncomp_changed"
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

resource "mock_later" "ncomp_more" {
  name = "ncomp_more"
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

resource "mock_later" "ncomp_from_null" {
  name = "ncomp_from_null"
}

resource "mock_later" "one_key" {
  name = "one_key"
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

resource "mock_later" "one_null" {
  name = "one_null"
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

resource "mock_later" "one_from_null" {
  name = "one_from_null"
}

resource "mock_later" "one_unknown" {
  name = "one_unknown"
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

resource "mock_later" "one_made" {
  name = "one_made"
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

resource "mock_later" "grp_key" {
  name = "grp_key"
}

resource "mock_later" "rule_key" {
  name = "rule_key"
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

resource "mock_later" "rule_fewer" {
  name = "rule_fewer"
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

resource "mock_later" "rule_more" {
  name = "rule_more"
}

resource "mock_later" "rule_null" {
  name = "rule_null"
}

resource "mock_later" "rule_unknown" {
  name = "rule_unknown"
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

resource "mock_later" "rule_element_unknown" {
  name = "rule_element_unknown"
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

resource "mock_later" "rule_key_unknown" {
  name = "rule_key_unknown"
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

resource "mock_later" "tag_changed" {
  name = "tag_changed"
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

resource "mock_later" "tag_fewer" {
  name = "tag_fewer"
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

resource "mock_later" "tag_null" {
  name = "tag_null"
}

resource "mock_later" "tag_unknown" {
  name = "tag_unknown"
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

resource "mock_later" "entry_key" {
  name = "entry_key"
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

resource "mock_later" "entry_changed" {
  name = "entry_changed"
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

resource "mock_later" "entry_more" {
  name = "entry_more"
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

resource "mock_later" "entry_null" {
  name = "entry_null"
}

resource "mock_later" "null" {
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

resource "mock_later" "wrong_type" {
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

resource "mock_later" "replace_unknown_path" {
  name = "replace_unknown_path"
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

resource "mock_later" "replace_element" {
  name = "replace_element"
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

resource "mock_later" "replace_ok" {
  name = "replace_ok"
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
