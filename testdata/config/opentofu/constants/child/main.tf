variable "place" {
  type  = string
  const = true
}
variable "other" {
  default = null
  const   = "perhaps"
}
