locals {
  text = "```\n````` </details></summary>\n::error file=x::y\n@octocat #123 GH-1 https://example.com www.example.com <img src=x onerror=alert(1)>\n| a | b |\n[x](javascript:alert(1)) :smile: $x$ \u001b[31m \u202e \u0000"
}
resource "terraform_data" "a" {
  input = local.text
}
resource "terraform_data" "keyed" {
  for_each = toset(["@octocat", "a|b", "`x`", "</code></summary></details>", "a\nb", "www.example.com", "\u202ebidi", "::error::x"])
  input    = "<b>${each.key}</b>"
}
check "c" {
  assert {
    condition     = local.text == ""
    error_message = "@octocat: </details> ${local.text}"
  }
}
output "o" { value = local.text }
