type = "aws_db_proxy"
blocks = { auth = "list" }
before = {
  id   = "p"
  auth = sensitive([{ scheme = "SECRETS", iam = "DISABLED", secret = "hunter2-old" }])
}
after = {
  id   = "p"
  auth = sensitive([{ scheme = "SECRETS", iam = "REQUIRED", secret = "hunter2-old" }])
}
