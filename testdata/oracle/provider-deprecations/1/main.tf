terraform {
  required_providers {
    mock = { source = "xplan/mock" }
  }
}
provider "mock" { oldp = "x" }
resource "mock_r" "a" { 
  name = "v" 
  old = "y"
  rule { oldk = "1" }
  rule { oldk = "2" }
  oldrule { k = "x" }
  oldrule { k = "y" }
}
resource "mock_r" "b" { 
  count = 2
  old = "y${count.index}"
  dynamic "oldrule" { 
    for_each = [1,2]
    content { k = "z" }
  }
}
resource "mock_r" "c" { old = null }
resource "mock_old" "o" { name = "x" }
resource "mock_old" "o2" { 
  count = 2
  name = "x" 
}
data "mock_d" "d" { 
  name = "x"
  old = "z" 
}
module "m" { source = "./m" }
output "x" { value = mock_r.a.old }
output "y" { value = data.mock_d.d.id }
