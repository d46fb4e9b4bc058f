other = ["e"]
