terraform {
  required_providers {
    mock = { source = "xplan/mock" }
  }
}

resource "terraform_data" "u" {
  input            = 2
  triggers_replace = 2
}

resource "mock_a" "had" {
  dynamic "li" {
    for_each = terraform_data.u.output == 3 ? [] : ["x"]
    content {
      y = "1"
      i { y = "2" }
      i {}
      j { y = "3" }
    }
  }
  dynamic "se" {
    for_each = terraform_data.u.output == 3 ? [] : ["x"]
    content {
      y = "1"
      i { y = "2" }
      i {}
      j { y = "3" }
    }
  }
  dynamic "ma" {
    for_each = terraform_data.u.output == 3 ? [] : ["x"]
    labels   = ["k"]
    content {
      y = "1"
      i { y = "2" }
      i {}
      j { y = "3" }
    }
  }
  dynamic "si" {
    for_each = terraform_data.u.output == 3 ? [] : ["x"]
    content {
      y = "1"
      i { y = "2" }
      i {}
      j { y = "3" }
    }
  }
  dynamic "gr" {
    for_each = terraform_data.u.output == 3 ? [] : ["x"]
    content {
      y = "1"
      i { y = "2" }
      i {}
      j { y = "3" }
    }
  }
  in {
    x = "1"
    dynamic "li" {
      for_each = terraform_data.u.output == 3 ? [] : ["x"]
      content {
        y = "1"
      }
    }
    dynamic "se" {
      for_each = terraform_data.u.output == 3 ? [] : ["x"]
      content {
        y = "1"
      }
    }
    dynamic "ma" {
      for_each = terraform_data.u.output == 3 ? [] : ["x"]
      labels   = ["k"]
      content {
        y = "1"
      }
    }
  }
}

resource "mock_a" "had_none" {
  dynamic "li" {
    for_each = terraform_data.u.output == 3 ? [] : ["x"]
    content {
      y = "1"
      i { y = "2" }
      i {}
      j { y = "3" }
    }
  }
  dynamic "se" {
    for_each = terraform_data.u.output == 3 ? [] : ["x"]
    content {
      y = "1"
      i { y = "2" }
      i {}
      j { y = "3" }
    }
  }
  dynamic "ma" {
    for_each = terraform_data.u.output == 3 ? [] : ["x"]
    labels   = ["k"]
    content {
      y = "1"
      i { y = "2" }
      i {}
      j { y = "3" }
    }
  }
  dynamic "si" {
    for_each = terraform_data.u.output == 3 ? [] : ["x"]
    content {
      y = "1"
      i { y = "2" }
      i {}
      j { y = "3" }
    }
  }
  dynamic "gr" {
    for_each = terraform_data.u.output == 3 ? [] : ["x"]
    content {
      y = "1"
      i { y = "2" }
      i {}
      j { y = "3" }
    }
  }
  in {
    x = "1"
    dynamic "li" {
      for_each = terraform_data.u.output == 3 ? [] : ["x"]
      content {
        y = "1"
      }
    }
    dynamic "se" {
      for_each = terraform_data.u.output == 3 ? [] : ["x"]
      content {
        y = "1"
      }
    }
    dynamic "ma" {
      for_each = terraform_data.u.output == 3 ? [] : ["x"]
      labels   = ["k"]
      content {
        y = "1"
      }
    }
  }
}

resource "mock_a" "new" {
  dynamic "li" {
    for_each = terraform_data.u.output == 3 ? [] : ["x"]
    content {
      y = "1"
      i { y = "2" }
      i {}
      j { y = "3" }
    }
  }
  dynamic "se" {
    for_each = terraform_data.u.output == 3 ? [] : ["x"]
    content {
      y = "1"
      i { y = "2" }
      i {}
      j { y = "3" }
    }
  }
  dynamic "ma" {
    for_each = terraform_data.u.output == 3 ? [] : ["x"]
    labels   = ["k"]
    content {
      y = "1"
      i { y = "2" }
      i {}
      j { y = "3" }
    }
  }
  dynamic "si" {
    for_each = terraform_data.u.output == 3 ? [] : ["x"]
    content {
      y = "1"
      i { y = "2" }
      i {}
      j { y = "3" }
    }
  }
  dynamic "gr" {
    for_each = terraform_data.u.output == 3 ? [] : ["x"]
    content {
      y = "1"
      i { y = "2" }
      i {}
      j { y = "3" }
    }
  }
  in {
    x = "1"
    dynamic "li" {
      for_each = terraform_data.u.output == 3 ? [] : ["x"]
      content {
        y = "1"
      }
    }
    dynamic "se" {
      for_each = terraform_data.u.output == 3 ? [] : ["x"]
      content {
        y = "1"
      }
    }
    dynamic "ma" {
      for_each = terraform_data.u.output == 3 ? [] : ["x"]
      labels   = ["k"]
      content {
        y = "1"
      }
    }
  }
}

resource "mock_lists" "a" {
  maps    = [{ b = "1" }, { b = "2" }]
  lists   = [["b"], ["c"]]
  objects = [{ a = "2", b = "1" }, { a = "3", b = "1" }]
}
