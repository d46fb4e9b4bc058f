// How large journals get: no larger than what can be read again.
#include <unistd.h>

#include "core/state/journal_home.h"
#include "tests/unit/state/store_support.h"

using namespace xplan;
using namespace xplan::store_test;

namespace {

// In memory, with so much room.
class SmallMedium : public JournalMedium {
 public:
  explicit SmallMedium(int64_t left) : left_(left) {}
  int write(std::string_view line) override { return left_ -= static_cast<int64_t>(line.size()), 0; }
  int sync(const Cut&) override { return 0; }
  int64_t left() const override { return left_; }
  Error problem(int code) const override { return Error{std::to_string(code)}; }

 private:
  int64_t left_;
};

}  // namespace

TEST_CASE("a journal that has become too large takes results, and nothing that begins") {
  auto writer = JournalWriter::begin(std::make_unique<SmallMedium>(100'000), "x.journal", {"l", 1}, no_types);
  REQUIRE(writer);
  int begun = 0;
  Result<void> refused;
  while (begun < 100 && refused) {
    refused = (*writer)->append(record(Kind_::Intent, "t.n" + std::to_string(begun), nullptr, "create"));
    begun += refused.ok();
  }
  CHECK(begun > 3);
  CHECK(begun < 10);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().message.find("the journal \"x.journal\" has reached ") == 0);
  CHECK(refused.error().message.find("no more than 1073741824 can be read again") != std::string::npos);
  for (int n = 0; n < begun; ++n)
    CHECK((*writer)->append(record(Kind_::Result, "t.n" + std::to_string(n), object("x"))));
  CHECK_FALSE((*writer)->failed());
}

TEST_CASE("a journal that is larger than any run writes is not read") {
  WorkFolder folder;
  make_state({"t.a"});
  put("terraform.tfstate.journal", "");
  REQUIRE(::truncate("terraform.tfstate.journal", (int64_t{1} << 30) + 1) == 0);  // all of it a hole
  for (const bool locked : {true, false}) {
    Run run(locked);
    CHECK(run.error ==
          "the journal \"terraform.tfstate.journal\" has 1073741825 bytes, and no run writes more than "
          "1073741824. "
          "If something else has written it, rename it, so that it is kept, and run the command again");
  }
}
