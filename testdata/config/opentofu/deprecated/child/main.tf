variable "old" {
  default    = null
  deprecated = "Use new instead."
}
output "old" {
  value      = { a = "1" }
  type       = map(string)
  deprecated = "Use new instead."
}
