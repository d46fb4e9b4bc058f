// Serial and lineage of a state, from the beginning of its file.
#include "core/state/state_head.h"

#include "tests/unit/state/store_support.h"
#include "tests/unit/state/test_codec.h"

using namespace xplan;
using namespace xplan::store_test;

namespace {

std::string told(const std::string& path = "x.tfstate") {
  const auto head = read_state_head(path);
  return head ? head->lineage + " " + std::to_string(head->serial) : "nothing";
}

}  // namespace

TEST_CASE("the serial and lineage of a state are read from its beginning") {
  WorkFolder folder;
  CHECK(told() == "nothing");
  const std::pair<std::string, const char*> rows[] = {
      {"", "nothing"},
      {"{}", "nothing"},
      {"serial", "nothing"},
      {R"({"serial": "7", "lineage": "l"})", "nothing"},
      {R"({"serial": 7})", "nothing"},
      {R"({"serial": 7, "lineage": "l"})", "l 7"},
      {R"({"version": 4, "lineage": "l", "outputs": {"a": [1]}, "serial": 18446744073709551615, )",
       "l 18446744073709551615"},
      {R"({"serial": 7, "lineage": ")" + std::string(100'000, 'x') + "\"}", "nothing"},
      {R"({"resources": ")" + std::string(100'000, 'x') + R"(", "serial": 7, "lineage": "l"})", "nothing"},
  };
  for (const auto& [text, expected] : rows) {
    INFO(text.substr(0, 100));
    put("x.tfstate", text);
    CHECK(told() == expected);
  }
}

TEST_CASE("the head of a state that this program writes is found, encrypted or not") {
  WorkFolder folder;
  for (const bool encrypted : {false, true}) {
    const auto store = open_local_store({}, encrypted ? codec("a-") : crypt::Codec::plain());
    Diagnostics diags;
    auto state = store->read(diags);
    REQUIRE(state);
    state->ensure(at("t.a" + std::to_string(encrypted)), provider()).current =
        object(std::string(200'000, 'x'));
    REQUIRE(store->write(*state, no_types));
    CHECK(told("terraform.tfstate") == state->lineage + " " + std::to_string(state->serial));
  }
}
