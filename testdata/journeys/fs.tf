# Files: the first one is found changed on disk, the name of one replaces it.
variable "name" {}
variable "text" {}
variable "fail" { default = false }
variable "wrong" { default = false }

resource "fs_file" "a" {
  path    = "out/${var.name}.txt"
  content = var.text
}
resource "fs_file" "b" {
  for_each = toset(["x", "y"])
  path     = "out/${each.key}.txt"
  content  = "${fs_file.a.content} for ${each.key}"
}
resource "fs_file" "quiet" {
  path              = "out/quiet.txt"
  sensitive_content = "hunter2"
}
data "fs_file" "other" {
  path = "greeting.txt"
}
resource "fs_file" "broken" {
  count   = var.fail ? 1 : 0
  path    = "greeting.txt/below/a/file.txt"
  content = fs_file.a.id
}
resource "fs_file" "wrong" {
  count   = var.wrong ? 1 : 0
  path    = "out/wrong.txt"
  content = ""
  lifecycle {
    precondition {
      condition     = var.text == "never"
      error_message = "The text is ${var.text}."
    }
  }
}
output "told" { value = "${trimspace(data.fs_file.other.content)}, ${fs_file.b["x"].content}" }
output "secret" {
  value     = fs_file.quiet.sensitive_content
  sensitive = true
}
