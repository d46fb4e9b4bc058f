# Formatting only, which for YAML is shown.
type = "helm_release"
before = { name = "shop", values = ["replicas: 2\nimage: {tag: \"1.2\"}\n"] }
after  = { name = "shop", values = ["replicas: 2\nimage:\n  tag: \"1.2\"\n"] }
