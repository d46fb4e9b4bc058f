// The log of calls: one line of JSON each, for tests that ask what a provider was told.
//
// Who calls it: mock_provider.cc, first in every call. Contract: nothing is written unless XPLAN_MOCK_LOG
// names a file; values stand in the line only when XPLAN_MOCK_LOG_VALUES is set too. What is unknown is
// written as
// {"unknown":true}. Cost: one write per call; linear in the values when they are asked for. Thread-safety:
// any thread, any process: a line is one write to a file opened for appending.
#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/value/value.h"

namespace xplan::mock {

using NamedValues = std::vector<std::pair<std::string_view, Value>>;

bool log_wants_values();
void log_call(std::string_view call, std::string_view type, std::string_view on, const NamedValues& values);

}  // namespace xplan::mock
