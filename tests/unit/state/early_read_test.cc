// States that are read while they arrive: in pieces of every size they are the ones that are read whole, and
// what is void, damaged or no state gives nothing.
#include "core/state/early_read.h"

#include <catch2/catch.hpp>
#include <random>

#include "core/base/fs.h"
#include "core/base/json_writer.h"
#include "core/state/json_scan.h"
#include "tests/unit/state/store_support.h"

using namespace xplan;

namespace {

constexpr const char* kRecorded[] = {"deposed.tfstate", "empty.tfstate", "keys_and_module_order.tfstate",
                                     "marks_checks_modules.tfstate", "odd_keys.tfstate"};

std::string recorded(const std::string& name) {
  auto text = real_fs().read(std::string(TESTDATA) + "/state/" + name);
  REQUIRE(text.ok());
  return *text;
}

// Behind white space enough to be worth a thread.
std::string large(const std::string& text) {
  return std::string(Arrival::kWorthwhile, ' ') + text;
}

std::string written(const State& s) {
  std::string out;
  JsonWriter w([&](std::string_view piece) { out += piece; }, 2);
  write_state(s, store_test::no_types, w);
  w.flush();
  return out;
}

// The last `tail` bytes in pieces of at most `most`, by chance where that is 0.
void deliver(Arrival& to, std::string_view text, size_t tail, size_t most) {
  std::minstd_rand random(7);
  to.begin(text.size());
  const size_t head = text.size() - std::min(tail, text.size());
  to.append(text.substr(0, head));
  for (std::string_view rest = text.substr(head); !rest.empty();) {
    const size_t n = std::min<size_t>(rest.size(), most > 0 ? most : 1 + random() % 100);
    to.append(rest.substr(0, n));
    rest.remove_prefix(n);
  }
}

}  // namespace

TEST_CASE("early read: a state is the same in pieces of whatever size") {
  for (const char* name : kRecorded) {
    const std::string part = recorded(name), text = large(part);
    const auto whole = read_state(std::make_shared<const std::string>(part));
    REQUIRE(whole.ok());
    for (const size_t most : {0, 1, 2, 3, 7, 4096}) {
      INFO(name << " in pieces of " << most);
      EarlyRead early;
      deliver(early.arrival(), text, part.size(), most);
      early.arrival().end();
      const auto read = early.result(text);
      REQUIRE(read);
      CHECK(*read->text == text);
      CHECK(written(read->state) == written(*whole));
    }
  }
}

TEST_CASE("early read: nothing comes of what is void, damaged, or another text") {
  const std::string part = recorded("odd_keys.tfstate"), text = large(part);
  const auto of = [&](const std::string& sent, auto&& after, const std::string& answer) {
    EarlyRead early;
    deliver(early.arrival(), sent, part.size(), 64);
    after(early.arrival());
    return early.result(answer).has_value();
  };
  const auto end = [](Arrival& a) { a.end(); };
  REQUIRE(of(text, end, text));
  CHECK_FALSE(of(
      text, [](Arrival&) {}, text));
  CHECK_FALSE(of(
      text, [](Arrival& a) { a.abandon(), a.end(); }, text));
  CHECK_FALSE(of(
      text, [&](Arrival& a) { a.begin(text.size()), a.append(text), a.end(); }, text));
  CHECK_FALSE(of(
      text, [](Arrival& a) { a.append(std::string(1 << 20, ' ')), a.end(); }, text));
  CHECK_FALSE(of(text, end, text + " "));
  for (const std::string_view damage : {"", "}", "{", "\"", "\\u12", "\xC3", "12", "tru"}) {
    const std::string damaged = text.substr(0, text.size() - part.size() / 2) + std::string(damage);
    INFO(damage);
    CHECK_FALSE(of(damaged, end, damaged));
  }
  const std::string older = large(R"({"version": 3, "modules": []})"), small = part;
  CHECK_FALSE(of(older, end, older));
  CHECK_FALSE(of(small, end, small));  // not worth a thread
}

TEST_CASE("early read: whoever gives up waits for nobody") {
  const std::string text = large(recorded("deposed.tfstate"));
  EarlyRead early;
  early.arrival().begin(text.size());
  early.arrival().append(text.substr(0, text.size() - 10));  // and nothing more
}

TEST_CASE("early read: every token can be cut anywhere") {
  const std::string part = R"({"a\u00e9\\": [1.5e-3, -0, true, false, null, "x\ud83d\ude00é€😀", {}, [], ""],)"
                           "\r\n\t \"b\" : {\"c\":[[{\"d\":[]}]]}}  ";
  const std::string text = large(part);
  JsonScan whole(text);
  const std::string_view wanted = whole.raw();
  REQUIRE_FALSE(whole.failed());
  for (size_t cut = 0; cut <= part.size(); ++cut) {
    Arrival arrival([] {});
    arrival.begin(text.size());
    arrival.append(std::string_view(text).substr(0, text.size() - part.size() + cut));
    std::thread later([&] {
      arrival.append(std::string_view(text).substr(text.size() - part.size() + cut));
      arrival.end();
    });
    JsonScan scan(arrival);
    const std::string got(scan.raw());
    CHECK(scan.at_end());
    later.join();
    INFO(cut << ": " << scan.error());
    CHECK(got == wanted);
  }
}
