terraform {
  required_providers {
    mock = {
      source = "xplan/mock"
    }
  }
}

resource "mock_ok" "x" {
  name = "x1"
}
import {
  to = mock_ok.x
  id = "x1"
}

resource "mock_warns" "x" {
  name = "x1"
}
import {
  to = mock_warns.x
  id = "x1"
}

resource "mock_private" "x" {
  name = "x1"
}
import {
  to = mock_private.x
  id = "x1"
}
