mock_resource "a" {
 defaults={}
}
