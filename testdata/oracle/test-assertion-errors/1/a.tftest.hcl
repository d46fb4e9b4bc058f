run "a" {
 assert {
  condition = module.m.o == "inner2"
  error_message = "n"
 }
 assert {
  condition = module.m.zz == "inner2"
  error_message = "n"
 }
}
