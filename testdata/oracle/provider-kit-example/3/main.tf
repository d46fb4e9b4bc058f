terraform {
  required_providers { notes = { source = "xplan/notes" } }
}
resource "notes_note" "a" {
  title = "Shopping"
  text  = "Bread and butter"
  color = "green"
}
