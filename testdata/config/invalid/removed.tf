removed {
  from = terraform_data.x[0]
}
removed {
  from = data.x.y
}
removed {}
removed {
  from = module.m[0].terraform_data.x
  lifecycle {
    destroy         = var.x
    prevent_destroy = true
  }
  foo = 1
}
removed {
  from = "terraform_data.qq"
}
removed {
  from = terraform_data.pp
  provisioner "local-exec" {
    command = "x"
  }
  provisioner "local-exec" {
    when    = destroy
    command = "x ${self.id} ${var.x} ${count.index} ${each.key} ${path.module}"
  }
}
removed {
  from = module.m
  provisioner "local-exec" {
    when    = destroy
    command = "x ${self.id}"
  }
  connection {}
}
variable "x" { default = false }
