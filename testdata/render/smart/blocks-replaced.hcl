# A path into the list forces replacement, so places count.
type = "aws_instance"
blocks = { network = "list" }
replace = ["network.0.subnet"]
before = { id = "i-1", network = [{ name = "a", subnet = "s-1" }, { name = "b", subnet = "s-2" }] }
after  = { id = unknown, network = [{ name = "b", subnet = "s-2" }] }
