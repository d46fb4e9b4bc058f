type = "fs_file"
before = { path = "app.js", content = "/* app */\n${join(";", [for i in range(40) : "var a${i}=${i}"])}\nmain();\n" }
after  = { path = "app.js", content = "/* app */\n${join(";", [for i in range(40) : "var a${i}=${i == 20 ? 99 : i}"])}\nmain();\n" }
