provider "mock" { region = mock_thing.a.id }
resource "mock_thing" "a" { name = "x" }
