terraform {
  required_providers {
    mock = {
      source = "xplan/mock"
    }
  }
}

resource "mock_legacy" "fine" {
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

resource "mock_legacy" "text_changed" {
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

resource "mock_legacy" "text_from_null" {
  name = "text_from_null"
}

resource "mock_legacy" "text_to_null" {
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

resource "mock_legacy" "text_unknown" {
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

resource "mock_legacy" "hidden_changed" {
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

resource "mock_legacy" "note_changed" {
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

resource "mock_legacy" "note_from_null" {
  name = "note_from_null"
}

resource "mock_legacy" "note_unknown" {
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

resource "mock_legacy" "note_to_null" {
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

resource "mock_legacy" "num_changed" {
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

resource "mock_legacy" "list_element" {
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

resource "mock_legacy" "list_length" {
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

resource "mock_legacy" "list_null" {
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

resource "mock_legacy" "list_element_unknown" {
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

resource "mock_legacy" "map_key" {
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

resource "mock_legacy" "set_changed" {
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

resource "mock_legacy" "set_fewer" {
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

resource "mock_legacy" "any_changed" {
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

resource "mock_legacy" "any_unknown" {
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

resource "mock_legacy" "nested_key" {
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

resource "mock_legacy" "nested_made" {
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

resource "mock_legacy" "nested_null" {
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

resource "mock_legacy" "nested_unknown" {
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

resource "mock_legacy" "nested_from_null" {
  name = "nested_from_null"
}

resource "mock_legacy" "nlist_key" {
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

resource "mock_legacy" "nlist_fewer" {
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

resource "mock_legacy" "nlist_null" {
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

resource "mock_legacy" "nlist_empty_from_null" {
  name = "nlist_empty_from_null"
}

resource "mock_legacy" "nlist_unknown" {
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

resource "mock_legacy" "nlist_element_unknown" {
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

resource "mock_legacy" "nset_more" {
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

resource "mock_legacy" "tag_more" {
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

resource "mock_legacy" "nset_changed" {
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

resource "mock_legacy" "nset_fewer" {
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

resource "mock_legacy" "nset_made" {
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

resource "mock_legacy" "nmap_key" {
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

resource "mock_legacy" "nmap_changed" {
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

resource "mock_legacy" "ncomp_changed" {
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

resource "mock_legacy" "ncomp_more" {
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

resource "mock_legacy" "ncomp_from_null" {
  name = "ncomp_from_null"
}

resource "mock_legacy" "one_key" {
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

resource "mock_legacy" "one_null" {
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

resource "mock_legacy" "one_from_null" {
  name = "one_from_null"
}

resource "mock_legacy" "one_unknown" {
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

resource "mock_legacy" "one_made" {
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

resource "mock_legacy" "grp_key" {
  name = "grp_key"
}

resource "mock_legacy" "rule_key" {
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

resource "mock_legacy" "rule_fewer" {
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

resource "mock_legacy" "rule_more" {
  name = "rule_more"
}

resource "mock_legacy" "rule_unknown" {
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

resource "mock_legacy" "rule_element_unknown" {
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

resource "mock_legacy" "rule_key_unknown" {
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

resource "mock_legacy" "tag_changed" {
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

resource "mock_legacy" "tag_fewer" {
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

resource "mock_legacy" "tag_unknown" {
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

resource "mock_legacy" "entry_key" {
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

resource "mock_legacy" "entry_changed" {
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

resource "mock_legacy" "entry_more" {
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

resource "mock_legacy" "replace_unknown_path" {
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

resource "mock_legacy" "replace_element" {
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

resource "mock_legacy" "replace_ok" {
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
