variable "v" { default = 1 }
resource "terraform_data" "t" {
  input = var.v
}
resource "terraform_data" "both" {
  triggers_replace = var.v
  lifecycle {
    replace_triggered_by = [terraform_data.t]
  }
}
resource "terraform_data" "req" {
  input = 1
  lifecycle {
    replace_triggered_by = [terraform_data.t]
  }
}
resource "terraform_data" "bothreq" {
  triggers_replace = var.v
  lifecycle {
    replace_triggered_by = [terraform_data.t]
  }
}
resource "terraform_data" "cnt" {
  count = 2
  triggers_replace = var.v
  lifecycle {
    replace_triggered_by = [terraform_data.t]
  }
}
resource "terraform_data" "taint" {
  input = 1
  lifecycle {
    replace_triggered_by = [terraform_data.t]
  }
}
resource "terraform_data" "taintreq" {
  input = 1
}
resource "terraform_data" "reqcannot" {
  triggers_replace = var.v
}
