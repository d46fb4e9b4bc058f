locals {
  a = "${b"
  b = "${c
  c = 1
  d = "%{if x}y"
  e = "%{esle}"
  f = "\q ${a b}"
  g = "%{for x y}%{endfor}"
  h = "${b : c}"
  i = 1
}
