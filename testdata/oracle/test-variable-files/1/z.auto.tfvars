b = "root z.auto"
