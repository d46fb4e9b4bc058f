provider "mock" {
  version = "~> 1.0"
}
