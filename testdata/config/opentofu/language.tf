language {
  edition     = tofu2024
  experiments = []
  compatible_with {
    opentofu  = ">= 1.12.0, < 2.0.0"
    something = "else"
  }
  compatible_with {
    terraform = ">= 1.15"
  }
}
language {
  edition     = TF2021
  experiments = [everything]
  compatible_with {
    opentofu = ">= 1.13"
  }
  compatible_with {
    opentofu = ">= 1.12"
  }
}
language {
  compatible_with {
    opentofu = ">= 1.6"
  }
}
language {
  compatible_with {
    opentofu = "1.12.0-beta1"
  }
  something {}
}
language "x" {
}
