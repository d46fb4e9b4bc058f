terraform {
  backend "consul" {
    path      = "full/path"
    cert_file = "cert.pem"
  }
}
