action "aws_lambda_invoke" "a" {
  config {
    function_name = "f"
  }
}
list "aws_instance" "all" {
  provider = aws
}
terraform {
  state_store "aws_s3" {
    provider "aws" {}
  }
}
resource "terraform_data" "a" {
  input = 1
  store {
    input = "x"
  }
  lifecycle {
    action_trigger {
      events  = [after_create]
      actions = [action.aws_lambda_invoke.a]
    }
  }
}
