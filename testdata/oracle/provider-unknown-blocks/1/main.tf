terraform {
  required_providers {
    mock = { source = "xplan/mock" }
  }
}

resource "terraform_data" "u" {
  input            = 1
  triggers_replace = 1
}

resource "mock_a" "had" {
  li {
    y = "1"
    i { y = "2" }
    i {}
    j { y = "3" }
  }
  se {
    y = "1"
    i { y = "2" }
    i {}
    j { y = "3" }
  }
  ma "k" {
    y = "1"
    i { y = "2" }
    i {}
    j { y = "3" }
  }
  si {
    y = "1"
    i { y = "2" }
    i {}
    j { y = "3" }
  }
  gr {
    y = "1"
    i { y = "2" }
    i {}
    j { y = "3" }
  }
  in {
    x = "1"
    li {
      y = "1"
    }
    se {
      y = "1"
    }
    ma "k" {
      y = "1"
    }
  }
}

resource "mock_a" "had_none" {
  in {
    x = "1"
  }
}

resource "mock_lists" "a" {
  maps    = [{ a = "1" }]
  lists   = [["a"]]
  objects = [{ a = "1", b = "1" }]
}
