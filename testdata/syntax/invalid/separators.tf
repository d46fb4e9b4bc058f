locals {
  a = 1;
  b = 2, c = 3
  d = 4 e = 5
  f : 6
  g = [1 2]
  h = {a = 1 b = 2}
  i = a & b
  "j" = 1
  k
  l.m = 2
  = 3
  n = 1 }
locals { o = 1 }
