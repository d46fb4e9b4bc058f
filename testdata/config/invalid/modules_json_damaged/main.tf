module "thing" { source = "acme/thing/cloud" }
