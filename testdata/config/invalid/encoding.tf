locals {
  café = 1
  quotes  = “x”
  fine    = "café"
  other   = = 2
}
