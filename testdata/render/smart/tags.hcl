type = "aws_s3_bucket"
before = { id = "acme-logs", tags = tomap({ Team = "platform", Env = "prod", Owner = "ops@acme.example" }), tags_all = tomap({ Team = "platform", Env = "prod", Owner = "ops@acme.example" }) }
after  = { id = "acme-logs", tags = tomap({ Team = "data", Env = "prod", "cost:center" = "4711" }), tags_all = tomap({ Team = "data", Env = "prod", "cost:center" = "4711" }) }
