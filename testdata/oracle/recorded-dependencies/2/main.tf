resource "terraform_data" "p" {
}
resource "terraform_data" "q" {
}
resource "terraform_data" "noop_lost" {
  input = 1
}
resource "terraform_data" "upd_lost" {
  input = 2
}
resource "terraform_data" "repl_lost" {
  input = 1
  triggers_replace = 2
}
resource "terraform_data" "noop_gain" {
  input = 1
  depends_on = [terraform_data.p]
}
resource "terraform_data" "upd_gain" {
  input = 2
  depends_on = [terraform_data.p]
}
resource "terraform_data" "repl_gain" {
  input = 1
  triggers_replace = 2
  depends_on = [terraform_data.p]
}
resource "terraform_data" "noop_swap" {
  input = 1
  depends_on = [terraform_data.q]
}
resource "terraform_data" "upd_swap" {
  input = 2
  depends_on = [terraform_data.q]
}
resource "terraform_data" "repl_swap" {
  input = 1
  triggers_replace = 2
  depends_on = [terraform_data.q]
}
resource "terraform_data" "noop_keep" {
  input = 1
  depends_on = [terraform_data.p]
}
resource "terraform_data" "upd_keep" {
  input = 2
  depends_on = [terraform_data.p]
}
resource "terraform_data" "repl_keep" {
  input = 1
  triggers_replace = 2
  depends_on = [terraform_data.p]
}
