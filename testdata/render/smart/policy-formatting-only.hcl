type = "aws_s3_bucket_policy"
before = {
  bucket = "acme-app"
  policy = "{\"Version\":\"2012-10-17\",\"Statement\":[{\"Effect\":\"Allow\",\"Action\":\"s3:*\"}]}"
}
after = {
  bucket = "acme-app"
  policy = <<-EOT
    {
      "Statement": [
        { "Action": "s3:*", "Effect": "Allow" }
      ],
      "Version": "2012-10-17"
    }
  EOT
}
