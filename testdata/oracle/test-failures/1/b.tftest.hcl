run "a" {
 plan_options { target = [terraform_data.ok] }
}
