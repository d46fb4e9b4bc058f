mock_provider "terraform" {
}
run "x" {
}
