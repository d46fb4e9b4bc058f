type = "aws_autoscaling_group"
before = { name = "web", zones = ["eu-central-1a", "eu-central-1b", "eu-central-1c"], weights = [1, 2, 3] }
after  = { name = "web", zones = ["eu-central-1c", "eu-central-1a", "eu-central-1b"], weights = [1, 5, 3] }
