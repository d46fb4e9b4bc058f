variable "server" {
  type = object({
    name  = string
    ports = optional(list(object({ number = number, protocol = optional(string) })), [])
    tags  = optional(map(object({ value = string })), {})
  })
  default = {
    name = "a"
    prts = [1]
    ports = [
      { number = 80 },
      { number = 81, protocl = "udp" },
    ]
    tags = {
      a   = { value = "x", comment = "y" }
      "b" = { value = "x" }
    }
  }
}
variable "pairs" {
  type    = tuple([object({ a = number }), string])
  default = [{ a = 1, (("b")) = 2 }, "x"]
}
variable "anything" {
  type    = map(any)
  default = { a = { b = 1 } }
}
