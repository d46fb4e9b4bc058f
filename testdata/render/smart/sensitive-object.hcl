type = "acme_service"
dynamic = { input = true }
before = {
  id       = "svc"
  database = sensitive({ host = "db.acme.example", port = 5432, password = "hunter2-old" })
  input    = { region = "eu", login = sensitive({ user = "app", password = "hunter2-old", roles = ["hunter2-a"] }) }
}
after = {
  id       = "svc"
  database = sensitive({ host = "db.acme.example", port = 5432, password = "hunter2-new" })
  input    = { region = "eu", login = sensitive({ user = "app", password = "hunter2-new", roles = ["hunter2-a", "hunter2-b"] }) }
}
