type = "aws_lambda_function"
before = { name = "f", memory = 512, timeout = 1000000, kms_key = null, layers = null, environment = tomap({ A = "1" }), retries = 2 }
after  = { name = "f", memory = 512.5, timeout = 10000000, kms_key = "arn:aws:kms:eu-central-1:1:key/2", layers = ["arn:1"], environment = null, retries = null }
