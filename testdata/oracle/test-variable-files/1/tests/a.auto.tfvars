d = "tests a.auto"
