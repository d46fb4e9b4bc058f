provider "terraform" { 
  foo = 1
}
run "p" { }
