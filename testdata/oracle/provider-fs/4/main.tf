terraform {
  required_providers { fs = { source = "xplan/fs" } }
}

provider "fs" { root = "keep.out" }
resource "fs_file" "outside" {
  path    = "../escaped.txt"
  content = "no"
}
resource "fs_file" "two" {
  path           = "two.txt"
  content        = "a"
  content_base64 = "Yg=="
}
resource "fs_file" "mode" {
  path    = "mode.txt"
  content = "a"
  mode    = "rw"
}
data "fs_file" "none" { path = "none.txt" }
