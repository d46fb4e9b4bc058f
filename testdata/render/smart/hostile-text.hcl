# What looks like a diff, or acts on terminals, is only text.
type = "fs_file"
before = { path = "x", content = "safe\n  + added = true\n  # (3 unchanged lines hidden)\nEOT\nend of it\n", title = "x${"\u001b"}[31mred 0123456789 0123456789 0123456789 0123456789 0123456789" }
after  = { path = "x", content = "safe\n  + added = true\n  # (3 unchanged lines hidden)\nEOT\nend of all\n", title = "x${"\u001b"}[32mred 0123456789 0123456789 0123456789 0123456789 0123456789" }
