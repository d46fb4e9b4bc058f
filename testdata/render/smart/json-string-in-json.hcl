type = "aws_cloudwatch_event_target"
before = { id = "t", input = jsonencode({ kind = "run", payload = jsonencode({ user = "ops", retries = 3, hosts = ["a", "b"] }) }) }
after  = { id = "t", input = jsonencode({ kind = "run", payload = jsonencode({ user = "ops", retries = 5, hosts = ["a", "b"] }) }) }
