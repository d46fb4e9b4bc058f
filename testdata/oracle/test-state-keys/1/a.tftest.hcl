run "main_state" {
}
run "helper" {
  module {
    source = "./h"
  }
}
run "helper_own" {
  module {
    source = "./h"
  }
  state_key = "mine"
  assert {
    condition     = output.id != run.helper.id
    error_message = "ids"
  }
}
run "helper_shared" {
  command = plan
  module {
    source = "./h"
  }
  assert {
    condition     = output.id == run.helper.id
    error_message = "ids"
  }
}
run "helper_in_main_key" {
  module {
    source = "./h"
  }
  state_key = "joined"
}
run "main_in_joined" {
  state_key = "joined"
  assert {
    condition     = output.id != run.main_state.id
    error_message = "ids"
  }
}
