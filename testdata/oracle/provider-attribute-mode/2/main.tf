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
  title             = "emptied"
  optional          = []
  optional_set      = []
  optional_computed = []
}

resource "mock_mode" "left_out" {
  title = "left_out"
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
    name = "b"
    note = "n"
  }
  optional {
    name = "c"
    note = "n"
  }
  optional_set {
    name = "b"
    note = "n"
  }
  optional_set {
    name = "c"
    note = "n"
  }
  optional_computed {
    name = "b"
    note = "n"
  }
  optional_computed {
    name = "c"
    note = "n"
  }
}

resource "mock_mode" "added" {
  title = "added"
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

resource "mock_mode" "given_empty" {
  title             = "given_empty"
  optional          = []
  optional_set      = []
  optional_computed = []
}

resource "mock_mode" "fresh" {
  title = "fresh"
}

resource "mock_mode" "fresh_empty" {
  title             = "fresh_empty"
  optional          = []
  optional_set      = []
  optional_computed = []
}

resource "mock_mode" "dynamic" {
  title = "dynamic"
  dynamic "optional" {
    for_each = ["x", "y"]
    content {
      name = optional.value
      note = "n"
    }
  }
}

resource "mock_mode" "partly" {
  title = "partly"
  optional {
    name = "only"
  }
}

resource "mock_mode" "as_argument" {
  title    = "as_argument"
  optional = [{ name = "a", note = "b" }]
}
