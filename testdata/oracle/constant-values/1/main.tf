locals { x = 1 }
variable "v" { default = 1 }
output "o00" {
  value = 1 + 2
}
output "o01" {
  value = [for x in ["a", "b"] : x]
}
output "o02" {
  value = {for x in ["a", "b"] : x => 1}
}
output "o03" {
  value = [for i, x in ["a", "b"] : "${i}${x}"]
}
output "o04" {
  value = [for x in ["a", "b"] : upper(x)]
}
output "o05" {
  value = upper("x")
}
output "o06" {
  value = max(1, 2)
}
output "o07" {
  value = true ? "a" : "b"
}
output "o08" {
  value = true ? upper("a") : "b"
}
output "o09" {
  value = false ? upper("a") : "b"
}
output "o10" {
  value = "a${1 + 1}b"
}
output "o11" {
  value = "%{ if true }x%{ else }y%{ endif }"
}
output "o12" {
  value = "%{ for x in ["a", "b"] }${x},%{ endfor }"
}
output "o13" {
  value = "${upper("x")}"
}
output "o14" {
  value = "${"x"}"
}
output "o15" {
  value = null
}
output "o16" {
  value = -5
}
output "o17" {
  value = -0
}
output "o18" {
  value = !true
}
output "o19" {
  value = [1, 2][0]
}
output "o20" {
  value = { a = 1 }.a
}
output "o21" {
  value = { a = 1 }["a"]
}
output "o22" {
  value = ["a", "b"][*]
}
output "o23" {
  value = [{ a = 1 }, { a = 2 }][*].a
}
output "o24" {
  value = [{ a = 1 }, { a = 2 }].*.a
}
output "o25" {
  value = []
}
output "o26" {
  value = {}
}
output "o27" {
  value = { a = [1, { b = null }] }
}
output "o28" {
  value = { (upper("a")) = 1 }
}
output "o29" {
  value = { (1 + 1) = 1 }
}
output "o30" {
  value = (1)
}
output "o31" {
  value = 1 == 1
}
output "o32" {
  value = 1 == "1"
}
output "o33" {
  value = 1 > 2
}
output "o34" {
  value = true && false
}
output "o35" {
  value = 1 % 2
}
output "o36" {
  value = 5 / 2
}
output "o37" {
  value = 1.50
}
output "o38" {
  value = 1e3
}
output "o39" {
  value = 12345678901234567890
}
output "o40" {
  value = <<-EOT
  hello
  ${1}
EOT
}
output "o41" {
  value = path.module
}
output "o42" {
  value = path.root
}
output "o43" {
  value = terraform.workspace
}
output "o44" {
  value = local.x
}
output "o45" {
  value = var.v
}
output "o46" {
  value = var.v == 1 ? 2 : 3
}
output "o47" {
  value = [for x in ["a"] : local.x]
}
output "o48" {
  value = { for k, v in { a = 1 } : k => v... }
}
output "o49" {
  value = { for k, v in { a = 1 } : k => v if v > 0 }
}
output "o50" {
  value = [for x in [1, 2, 3] : x if x > 1]
}
output "o51" {
  value = [for x in [1, 2] : [for y in [3, 4] : x * y]]
}
output "o52" {
  value = [for x in [{ a = 1 }] : x.a]
}
output "o53" {
  value = tolist(["a"])
}
output "o54" {
  value = null == null
}
output "o55" {
  value = 1 != 2
}
output "o56" {
  value = "a" == "b" ? 1 : "x"
}
output "o57" {
  value = "${[for x in ["a"] : x][0]}"
}
output "o58" {
  value = "${true}"
}
output "o59" {
  value = "${1}"
}
output "o60" {
  value = try(1, 2)
}
