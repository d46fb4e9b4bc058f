resource "terraform_data" "ok" { 
 input = 1
 lifecycle { prevent_destroy = true }
}
resource "terraform_data" "other" { }
