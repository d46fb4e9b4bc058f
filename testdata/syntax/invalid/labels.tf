resource terraform_data.a {
  b = 1
}
resource a.b.c {
}
.x {
}
locals.d {
}
locals {
  e = (1
}
locals {
  f = [1,
}
locals {
  g = h(
}
