type = "aws_iam_policy"
before = {
  arn  = "arn:aws:iam::123456789012:policy/app"
  name = "app"
  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [
      { Sid = "ReadObjects", Effect = "Allow", Action = ["s3:GetObject", "s3:ListBucket", "s3:GetBucketLocation"], Resource = ["arn:aws:s3:::acme-app", "arn:aws:s3:::acme-app/*"] },
      { Sid = "Queue", Effect = "Allow", Action = ["sqs:SendMessage", "sqs:ReceiveMessage"], Resource = "arn:aws:sqs:eu-central-1:123456789012:jobs" },
      { Sid = "Logs", Effect = "Allow", Action = "logs:PutLogEvents", Resource = "*" },
    ]
  })
}
after = {
  arn  = "arn:aws:iam::123456789012:policy/app"
  name = "app"
  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [
      { Sid = "ReadObjects", Effect = "Allow", Action = ["s3:GetObject", "s3:PutObject", "s3:ListBucket", "s3:GetBucketLocation"], Resource = ["arn:aws:s3:::acme-app", "arn:aws:s3:::acme-app/*"] },
      { Sid = "Queue", Effect = "Allow", Action = ["sqs:SendMessage", "sqs:ReceiveMessage"], Resource = "arn:aws:sqs:eu-central-1:123456789012:jobs" },
      { Sid = "Logs", Effect = "Allow", Action = "logs:PutLogEvents", Resource = "*" },
    ]
  })
}
