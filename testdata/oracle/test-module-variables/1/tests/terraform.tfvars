list   = ["tests"]
