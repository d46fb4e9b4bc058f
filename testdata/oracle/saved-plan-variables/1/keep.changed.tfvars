v = "changed"
