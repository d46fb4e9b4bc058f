locals {
  a = max(1, 2
  b = 3
}
locals {
  c = [1, 2
}
locals { d = 4 }
