terraform {
  required_providers { fs = { source = "xplan/fs" } }
}

provider "fs" { root = "keep.out" }
variable "token" {
  default   = "t0ken"
  sensitive = true
}
resource "fs_directory" "site" {
  path = "site"
  mode = "0750"
}
resource "fs_file" "page" {
  for_each = toset(["home", "about"])
  path     = "${fs_directory.site.path}/${each.key}.html"
  content  = templatefile("${path.module}/page.tftpl", { title = upper(each.key) })
  mode     = "0644"
}
resource "fs_file" "secret" {
  path              = "deep/er/token"
  sensitive_content = var.token
  mode              = "0600"
}
resource "fs_file" "binary" {
  path           = "${fs_directory.site.path}/blob.bin"
  content_base64 = "AP/+"
}
resource "fs_symlink" "index" {
  path   = "${fs_directory.site.path}/index.html"
  target = "home.html"
}
resource "terraform_data" "lines" { input = 1 }
resource "fs_file" "late" {
  path    = "late.txt"
  content = "lines: ${terraform_data.lines.output}\n"
}
data "fs_directory" "all" {
  path       = "site"
  pattern    = "*.html"
  depends_on = [fs_file.page, fs_symlink.index]
}
data "fs_file" "late" { path = fs_file.late.path }
output "files" { value = data.fs_directory.all.files }
output "late" { value = data.fs_file.late.content }
output "hash" { value = { for k, f in fs_file.page : k => f.sha256 } }
