type = "fs_file"
before = { path = "a.ini", content = "[main]\nkey = 1\nother = 2\nlast = 3\n" }
after  = { path = "a.ini", content = "[main]\r\nkey = 1\r\nother = 2\r\nlast = 3\r\n" }
