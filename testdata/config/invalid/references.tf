data "terraform_remote_state" "d" {
  backend = "local"
}
resource "terraform_data" "r" {}
output "a" { value = terraform_remote_state.d.outputs }
output "b" { value = data.terraform_data.r.id }
output "d" { value = ephemeral.terraform_data.r.id }
output "e" { value = terraform_data }
output "f" { value = data }
output "g" { value = data.terraform_remote_state }
output "h" { value = var }
output "i" { value = local }
output "j" { value = module }
output "k" { value = path }
output "l" { value = terraform }
output "m" { value = foo }
output "n" { value = foo.bar }
output "o" { value = resource.terraform_data }
output "p" { value = count.index }
output "q" { value = each.value }
output "r" { value = self }
output "s" { value = terraform.env }
output "t" { value = path.modul }
output "u" { value = var["a"] }
output "v" { value = terraform_data["a"] }
output "w" { value = terraform_data.rr.id }
output "x" { value = var.length }
output "y" { value = local.totel }
output "z" { value = count.indx }
variable "lenght" {}
locals { total = 1 }
output "a1" { value = lcoal.total }
output "a2" { value = vra.lenght }
output "a3" { value = variable.lenght }
output "a4" { value = each.valu }
output "a5" { value = moduel.m.x }
output "a6" { value = slef.id }
