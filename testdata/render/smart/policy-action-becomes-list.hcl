type = "aws_iam_policy"
before = { name = "x", policy = jsonencode({ Statement = { Sid = "A", Action = "s3:GetObject", Effect = "Allow" } }) }
after  = { name = "x", policy = jsonencode({ Statement = [{ Sid = "A", Action = ["s3:GetObject", "s3:PutObject"], Effect = "Allow" }] }) }
