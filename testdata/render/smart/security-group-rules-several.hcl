# One rule goes, one comes, one gets another description.
type = "aws_security_group"
blocks = { ingress = "set" }
before = {
  id = "sg-1"
  ingress = [
    { description = "ssh", from_port = 22, to_port = 22, protocol = "tcp", cidr_blocks = ["0.0.0.0/0"] },
    { description = "web", from_port = 443, to_port = 443, protocol = "tcp", cidr_blocks = ["0.0.0.0/0"] },
    { description = "db", from_port = 5432, to_port = 5432, protocol = "tcp", cidr_blocks = ["10.0.0.0/16"] },
  ]
}
after = {
  id = "sg-1"
  ingress = [
    { description = "HTTPS from anywhere", from_port = 443, to_port = 443, protocol = "tcp", cidr_blocks = ["0.0.0.0/0"] },
    { description = "db", from_port = 5432, to_port = 5432, protocol = "tcp", cidr_blocks = ["10.0.0.0/16"] },
    { description = "metrics", from_port = 9100, to_port = 9100, protocol = "udp", cidr_blocks = ["10.3.0.0/16"] },
  ]
}
