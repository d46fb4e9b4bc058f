locals {
  a = “x”
  b = 'x'
  c = "x
  d = `x`
  e = 1
}
