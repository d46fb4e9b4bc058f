resource "terraform_data" "counted" {
  count = 1
  provisioner "local-exec" {
    when    = destroy
    command = "sed -i s/before/after/ keep.core"
  }
}
resource "terraform_data" "keyed" {
  for_each = toset(["a", "b"])
}
resource "terraform_data" "still" {}
module "m" {
  source = "./m"
  count  = 2
}
module "quiet" {
  source     = "./quiet"
  depends_on = [module.m]
}

data "terraform_remote_state" "resource" {
  backend = "local"
  config  = { path = "keep.core" }
  depends_on = [terraform_data.counted]
}

data "terraform_remote_state" "instance" {
  backend = "local"
  config  = { path = "keep.core" }
  depends_on = [terraform_data.counted[0]]
}

data "terraform_remote_state" "keys" {
  backend = "local"
  config  = { path = "keep.core" }
  depends_on = [terraform_data.keyed]
}

data "terraform_remote_state" "module" {
  backend = "local"
  config  = { path = "keep.core" }
  depends_on = [module.m]
}

data "terraform_remote_state" "nothing" {
  backend = "local"
  config  = { path = "keep.core" }
  depends_on = [terraform_data.still]
}

data "terraform_remote_state" "reference" {
  backend = "local"
  config  = { path = "keep.core" }
  defaults = { n = length(terraform_data.counted) }
}

output "texts" {
  value = [data.terraform_remote_state.resource.outputs.text, data.terraform_remote_state.reference.outputs.text]
}
