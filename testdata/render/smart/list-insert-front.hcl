type = "aws_lb"
before = { name = "web", subnets = ["subnet-0aa", "subnet-0bb", "subnet-0cc", "subnet-0dd"] }
after  = { name = "web", subnets = ["subnet-0ff", "subnet-0aa", "subnet-0bb", "subnet-0cc", "subnet-0dd"] }
