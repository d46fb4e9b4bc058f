// Which workspace is selected once a backend is set up that may not have the selected one.
//
// Who calls it: init.  Contract: afterwards the selected workspace exists, unless TF_WORKSPACE names one that
// a backend of that kind makes when it is first used. False after reporting. Thread-safety: one thread. Cost:
// a request or two.
#pragma once
#include "cmd/xplan/session.h"

namespace xplan::cmd {

// `asks`: whether the user can be asked. `cloud`: by a cloud block.
bool choose_workspace(Session& s, const backend::Backend& backend, bool asks, bool cloud);
// A line that the user types; nothing after reporting that none came.
std::optional<std::string> ask_line(Session& s, std::string_view question, std::string_view otherwise);

}  // namespace xplan::cmd
