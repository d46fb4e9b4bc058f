type = "azurerm_firewall_policy_rule_collection"
blocks = { rule = "list" }
before = {
  id = "r"
  rule = [
    { name = "allow-dns", ports = ["53"], protocols = ["UDP"], source = "10.0.0.0/8" },
    { name = "allow-ntp", ports = ["123"], protocols = ["UDP"], source = "10.0.0.0/8" },
    { name = "allow-web", ports = ["443"], protocols = ["TCP"], source = "10.0.0.0/8" },
  ]
}
after = {
  id = "r"
  rule = [
    { name = "deny-telnet", ports = ["23"], protocols = ["TCP"], source = "*" },
    { name = "allow-dns", ports = ["53"], protocols = ["UDP", "TCP"], source = "10.0.0.0/8" },
    { name = "allow-web", ports = ["443"], protocols = ["TCP"], source = "10.0.0.0/8" },
    { name = "allow-ntp", ports = ["123"], protocols = ["UDP"], source = "10.0.0.0/8" },
  ]
}
