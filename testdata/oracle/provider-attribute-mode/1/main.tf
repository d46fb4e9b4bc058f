terraform {
  required_providers {
    mock = {
      source = "xplan/mock"
    }
  }
}

resource "mock_mode" "unset" {
  title = "unset"
}

resource "mock_mode" "emptied" {
  title = "emptied"
  optional {
    name = "a"
    note = "n"
  }
  optional_set {
    name = "a"
    note = "n"
  }
  optional_computed {
    name = "a"
    note = "n"
  }
}

resource "mock_mode" "left_out" {
  title = "left_out"
  optional {
    name = "a"
    note = "n"
  }
  optional_set {
    name = "a"
    note = "n"
  }
  optional_computed {
    name = "a"
    note = "n"
  }
}

resource "mock_mode" "equal" {
  title = "equal"
  optional {
    name = "a"
    note = "n"
  }
  optional_set {
    name = "a"
    note = "n"
  }
  optional_computed {
    name = "a"
    note = "n"
  }
}

resource "mock_mode" "different" {
  title = "different"
  optional {
    name = "a"
    note = "n"
  }
  optional_set {
    name = "a"
    note = "n"
  }
  optional_computed {
    name = "a"
    note = "n"
  }
}

resource "mock_mode" "added" {
  title = "added"
}

resource "mock_mode" "given_empty" {
  title = "given_empty"
}
