provider "nope" { }
run "p" { }
