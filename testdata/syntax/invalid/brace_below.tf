resource "a" "b"
{
  input = "x"
  nested
  {
  }
}

locals { a = 1 }
