locals {
  a = "xÿþ"
  b = 1
 c = 2
}
