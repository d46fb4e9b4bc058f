# Without Sids: what is most alike is one statement.
type = "aws_iam_role_policy"
before = {
  id = "app:main"
  policy = jsonencode({
    Statement = [
      { Effect = "Allow", Action = ["s3:GetObject", "s3:ListBucket"], Resource = "arn:aws:s3:::acme-app/*" },
      { Effect = "Allow", Action = ["sqs:SendMessage"], Resource = "*" },
      { Effect = "Deny", Action = "iam:*", Resource = "*", Condition = { Bool = { "aws:MultiFactorAuthPresent" = "false" } } },
    ]
  })
}
after = {
  id = "app:main"
  policy = jsonencode({
    Statement = [
      { Effect = "Deny", Action = "iam:*", Resource = "*", Condition = { Bool = { "aws:MultiFactorAuthPresent" = "true" } } },
      { Effect = "Allow", Action = ["s3:GetObject", "s3:ListBucket", "s3:DeleteObject"], Resource = "arn:aws:s3:::acme-app/*" },
      { Effect = "Allow", Action = ["kms:Decrypt"], Resource = "arn:aws:kms:eu-central-1:123456789012:key/1" },
    ]
  })
}
