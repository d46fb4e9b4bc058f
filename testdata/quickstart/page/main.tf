terraform {
  required_providers {
    fs = { source = "terraform.io/builtin/fs" }
  }
}

variable "path" { type = string }
variable "lines" { type = list(string) }
variable "title" {
  type = string
  validation {
    condition     = var.title != ""
    error_message = "A page needs a title."
  }
}

resource "fs_file" "page" {
  path    = var.path
  content = join("\n", concat(["# ${var.title}", ""], var.lines, [""]))
}

output "path" { value = fs_file.page.path }
