prefix = "var file"
list   = ["a", "b"]
