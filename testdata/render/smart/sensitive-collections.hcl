# Keys of maps and how many elements there are belong to the value.
type = "kubernetes_secret"
before = {
  id    = "s"
  data  = sensitive(tomap({ "hunter2-key" = "a", b = "c" }))
  hosts = sensitive(["hunter2.example", "b"])
  flag  = sensitive(true)
  json  = sensitive(jsonencode({ password = "hunter2" }))
  names = ["a", sensitive("hunter2")]
}
after = {
  id    = "s"
  data  = sensitive(tomap({ "hunter2-key" = "z", b = "c" }))
  hosts = sensitive(["b", "hunter2.example"])
  flag  = sensitive(false)
  json  = sensitive(jsonencode({ password = "hunter2!" }))
  names = [sensitive("hunter2"), "a"]
}
