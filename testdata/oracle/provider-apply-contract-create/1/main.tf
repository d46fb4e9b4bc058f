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

resource "mock_make" "text_null" {
  name = "text_null"
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

resource "mock_make" "text_from_null" {
  name = "text_from_null"
}

resource "mock_make" "made_unknown" {
  name = "made_unknown"
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

resource "mock_make" "text_unknown" {
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

resource "mock_make" "two_unknown" {
  name = "two_unknown"
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

resource "mock_make" "list_more" {
  name = "list_more"
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

resource "mock_make" "list_element" {
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

resource "mock_make" "map_key" {
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

resource "mock_make" "set_more" {
  name = "set_more"
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

resource "mock_make" "set_fewer" {
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

resource "mock_make" "set_changed" {
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

resource "mock_make" "hidden_changed" {
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

resource "mock_make" "any_changed" {
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

resource "mock_make" "num_changed" {
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

resource "mock_make" "nested_changed" {
  name = "nested_changed"
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

resource "mock_make" "nested_null" {
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

resource "mock_make" "nested_from_null" {
  name = "nested_from_null"
}

resource "mock_make" "nlist_fewer" {
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

resource "mock_make" "nset_more" {
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

resource "mock_make" "nset_none" {
  name = "nset_none"
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

resource "mock_make" "nset_changed" {
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

resource "mock_make" "nmap_key" {
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

resource "mock_make" "one_null" {
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

resource "mock_make" "one_from_null" {
  name = "one_from_null"
}

resource "mock_make" "rule_fewer" {
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

resource "mock_make" "rule_key" {
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

resource "mock_make" "tag_changed" {
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

resource "mock_make" "tag_more" {
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

resource "mock_make" "tag_none" {
  name = "tag_none"
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

resource "mock_make" "malformed" {
  name = "malformed"
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

resource "mock_make" "fails_partial" {
  name = "fails_partial"
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

resource "mock_make" "fails_partial_changed" {
  name = "fails_partial_changed"
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

resource "mock_make" "fails_partial_unknown" {
  name = "fails_partial_unknown"
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

resource "mock_make" "fails_null" {
  name = "fails_null"
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

resource "mock_make" "fails_private" {
  name = "fails_private"
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

resource "mock_make" "warns_twice" {
  name = "warns_twice"
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
