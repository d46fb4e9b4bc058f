locals {
 a=1
}
