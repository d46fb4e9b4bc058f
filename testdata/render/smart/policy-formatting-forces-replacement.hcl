type = "aws_vpc_endpoint"
replace = ["policy"]
before = { id = "vpce-1", policy = "{\"Statement\":[]}" }
after  = { id = unknown, policy = "{ \"Statement\": [] }" }
