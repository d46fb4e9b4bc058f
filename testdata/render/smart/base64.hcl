type = "aws_launch_template"
before = { id = "lt-1", user_data = base64encode(join(" ", range(100))), version = 3 }
after  = { id = "lt-1", user_data = base64encode(join(" ", range(120))), version = 4 }
