import {
  to = terraform_data.adopted
  id = "id-1"
}
resource "terraform_data" "adopted" { input = "new" }
import {
  to = terraform_data.written
  id = "id \"2\" $${x}"
}
resource "terraform_data" "kept" { input = 1 }
