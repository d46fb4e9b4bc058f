run "a" {}
run "b" {
 variables { a = 2 }
}
run "c" {}
