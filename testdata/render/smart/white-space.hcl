type = "fs_file"
before = {
  path     = "a"
  final    = "line one\nline two\n"
  trailing = "one  \ntwo\nthree \nfour\n"
  indent   = "def f():\n    if x:\n        return 1\n    return 2\n"
  blank    = "one\n\ntwo\nthree\nfour\n"
  inner    = "a b"
  short    = "motd"
}
after = {
  path     = "a"
  final    = "line one\nline two"
  trailing = "one\ntwo\nthree\nfour\n"
  indent   = "def f():\n    if x:\n        return 1\n        return 2\n"
  blank    = "one\ntwo\nthree\nfour\n"
  inner    = "a  b"
  short    = "motd\n"
}
