resource "terraform_data" "new" { input = "default" }
moved {
  from = resource.terraform_data.old
  to   = resource.terraform_data.new
}
