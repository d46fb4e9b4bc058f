terraform {
  required_providers {
    mock = {
      source = "xplan/mock"
    }
  }
}
resource "mock_bucket" "b" {
  count = 2
  name  = "b${count.index}"
}
resource "terraform_data" "d" {
  input = mock_bucket.b[0].arn
}
data "mock_image" "i" {
  name = "missing"
}
output "all" {
  value = [mock_bucket.b[0].arn, mock_bucket.b[1].arn, terraform_data.d.output, data.mock_image.i.owner]
}
