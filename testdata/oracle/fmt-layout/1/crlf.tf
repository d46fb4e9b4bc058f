locals {
  a=1
  bb=<<E
 x
E
}
