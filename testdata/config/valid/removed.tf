removed {
  from = terraform_data.x
  lifecycle {
    destroy = false
  }
}
removed {
  from = module.m.module.n
}
removed {
  from = module.m.terraform_data.y
  connection {
    host = self.id
  }
  provisioner "local-exec" {
    when    = destroy
    command = "x ${self.id}"
  }
}
