type = "aws_iam_policy"
before = {
  name = "app"
  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [
      { Sid = "ReadObjects", Effect = "Allow", Action = ["s3:GetObject"], Resource = "arn:aws:s3:::acme-app/*" },
      { Sid = "Queue", Effect = "Allow", Action = ["sqs:SendMessage"], Resource = "*" },
      { Sid = "Logs", Effect = "Allow", Action = "logs:PutLogEvents", Resource = "*" },
    ]
  })
}
after = {
  name = "app"
  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [
      { Sid = "Logs", Effect = "Allow", Action = "logs:PutLogEvents", Resource = "*" },
      { Sid = "ReadObjects", Effect = "Allow", Action = ["s3:GetObject"], Resource = "arn:aws:s3:::acme-app/*" },
      { Sid = "Queue", Effect = "Allow", Action = ["sqs:SendMessage"], Resource = "*" },
    ]
  })
}
