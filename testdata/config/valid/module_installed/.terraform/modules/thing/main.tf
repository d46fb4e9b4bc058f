variable "x" {}
module "inner" { source = "git::https://example.com/x.git" }
module "sub" { source = "./sub" }
output "o" { value = "${module.inner.o} ${module.sub.s}" }
