provider "terraform" {}
run "p" { }
