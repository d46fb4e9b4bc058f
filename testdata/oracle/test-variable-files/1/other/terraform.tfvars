a = "other"
