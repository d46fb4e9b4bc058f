# One address range of twelve rules changes.
type = "aws_security_group"
blocks = { ingress = "set" }
before = {
  id   = "sg-1"
  name = "web"
  ingress = [for p in [22, 80, 443, 3000, 3306, 5432, 6379, 8080, 8443, 9090, 9100, 9200] : {
    description = "port ${p}", from_port = p, to_port = p, protocol = "tcp", self = false, cidr_blocks = p == 5432 ? ["10.0.1.0/24", "10.0.2.0/24"] : ["10.0.0.0/16"], ipv6_cidr_blocks = [], security_groups = []
  }]
}
after = {
  id   = "sg-1"
  name = "web"
  ingress = [for p in [22, 80, 443, 3000, 3306, 5432, 6379, 8080, 8443, 9090, 9100, 9200] : {
    description = "port ${p}", from_port = p, to_port = p, protocol = "tcp", self = false, cidr_blocks = p == 5432 ? ["10.0.1.0/24", "10.9.2.0/24"] : ["10.0.0.0/16"], ipv6_cidr_blocks = [], security_groups = []
  }]
}
