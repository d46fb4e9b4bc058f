locals { id = "x" }
output "a1" { value = { a = 1, b = local.id }.a }
output "a2" { value = [1, local.id] }
output "a3" { value = true || local.id == "x" }
output "a4" { value = 1 + 2 }
output "a5" { value = [for x in [] : local.id] }
output "a6" { value = false ? local.id : 3 }
output "a7" { value = ["a", upper("x")][0] }
output "a8" { value = ["a", upper("x")] }
output "a9" { value = [for x in ["a"] : x] }
output "b1" { value = "${true}" }
output "b2" { value = [{ a = 1 }][*].a }
output "b3" { value = [{ a = local.id, b = 1 }][*].b }
output "b4" { value = [local.id, "b"][1] }
output "b5" { value = { (local.id) = 1 } }
output "b6" { value = (5) }
output "b8" { value = -5 }
output "b9" { value = !true }
output "c1" { value = null }
output "c2" { value = "%{if true}x%{else}${local.id}%{endif}" }
output "c3" { value = { for k, v in { a = 1 } : k => v } }
output "c4" { value = true ? 1 : "a" }
output "c5" { value = [1, local.id][0] + 1 }
output "c6" { value = upper("x") }
output "c7" { value = "a" == "b" }
output "c8" { value = "x ${1 + 1} y" }
output "c9" { value = 1 / 3 }
output "d2" { value = false && local.id == "x" }
output "d3" { value = true ? upper("x") : 1 }
output "d4" { value = [for x in ["a"] : local.id if false] }
output "d5" { value = [for x in ["a"] : local.id] }
