type = "fs_file"
before = { path = "a", content = "one\ntwo\nthree\n" }
after  = { path = "a", content = "one\n2\nthree" }
