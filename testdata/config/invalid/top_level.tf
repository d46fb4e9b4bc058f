required_providers {}
resources "a" "b" {}
foo = 1
provider "a" "b" {}
provider {}
resource "terraform_data" {}
locals "x" {}
