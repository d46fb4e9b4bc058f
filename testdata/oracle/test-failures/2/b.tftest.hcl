run "a" {
 plan_options { target = [terraform_data.ok] }
}
run "other" {
 state_key = "k"
}
