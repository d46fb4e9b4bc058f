// Which runs of a test file wait for which.
#include "core/test/schedule.h"

#include <catch2/catch.hpp>

using namespace xplan;

namespace {

config::TestFile runs(const std::vector<std::pair<bool, std::string>>& parallel_and_state) {
  config::TestFile f;
  for (const auto& [parallel, state] : parallel_and_state) {
    config::TestRunBlock& r = f.runs.emplace_back();
    r.name = Symbol("r" + std::to_string(f.runs.size()));
    r.parallel = parallel, r.state_key = state;
  }
  return f;
}

using Waits = std::vector<std::vector<size_t>>;

}  // namespace

TEST_CASE("test runs that are not parallel wait for all before them") {
  const SourceTable sources;
  CHECK(test::waits_for(runs({{false, ""}, {false, "a"}, {false, "b"}}), sources) == Waits{{}, {0}, {1}});
}

TEST_CASE("parallel test runs wait for those that are not, and for their state") {
  const SourceTable sources;
  CHECK(test::waits_for(runs({{true, "a"}, {true, "b"}, {true, "a"}}), sources) == Waits{{}, {}, {0}});
  CHECK(test::waits_for(runs({{true, "a"}, {false, "b"}, {true, "c"}, {true, "b"}}), sources) ==
        Waits{{}, {0}, {1}, {1, 1}});
  CHECK(test::waits_for(runs({{false, ""}, {true, "a"}, {true, "b"}, {false, "c"}}), sources) ==
        Waits{{}, {0}, {0}, {0, 1, 2}});
}
