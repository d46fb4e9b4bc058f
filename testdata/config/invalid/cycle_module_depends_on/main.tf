module "m" {
  source     = "./m"
  depends_on = [terraform_data.x]
}
resource "terraform_data" "x" {
  input = module.m
}
