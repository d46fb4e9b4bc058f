type = "aws_iam_server_certificate"
before = { name = "web", certificate_body = "-----BEGIN CERTIFICATE-----\nMIIBszCCAVmgAwIBAgIUQ0Vf4yT6c7q3Yk0H5k7m1Jm6d3AwCgYIKoZIzj0EAwIw\nLzELMAkGA1UEBhMCREUxDTALBgNVBAoMBEFjbWUxETAPBgNVBAMMCHdlYi50ZXN0\n-----END CERTIFICATE-----\n" }
after  = { name = "web", certificate_body = "-----BEGIN CERTIFICATE-----\nMIIBtDCCAVmgAwIBAgIUQ1Vf4yT6c7q3Yk0H5k7m1Jm6d3AwCgYIKoZIzj0EAwIw\nLzELMAkGA1UEBhMCREUxDTALBgNVBAoMBEFjbWUxETAPBgNVBAMMCHdlYi50ZXN1\nAAAA\n-----END CERTIFICATE-----\n" }
