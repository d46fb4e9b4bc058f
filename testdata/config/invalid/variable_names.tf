variable "source" {}
variable "version" {}
variable "providers" {}
variable "count" {}
variable "for_each" {}
variable "lifecycle" {}
variable "depends_on" {}
variable "locals" {}
variable "provider" {}
variable "_" {}
variable "9a" {}
variable "a b" {}
variable "twice" {}
variable "twice" {}
