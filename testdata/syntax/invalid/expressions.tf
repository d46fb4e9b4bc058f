locals {
  a = 1 +
  b = * 2
  c = (1
  d = a ? b
  e = a.0.1
  f = a.*.*
  g = [for x : y]
  h = {for x in y : x}
  i = a[*
  j = f(a..., b)
  k = 1.2.3
  l = a.
  m = a[1
  n = a = b
}
