variables {
  place = "here"
}
provider "mock" {
  region = "${var.place} ${run.setup.region}"
}
run "setup" {
  module {
    source = "./setup"
  }
}
run "main" {
}
