// Tokens that are kept and replaced in time: when they are asked for, and by how many.
#include "core/cloud/renewed.h"

#include <atomic>
#include <catch2/catch.hpp>
#include <future>
#include <string>
#include <thread>
#include <vector>

using namespace xplan;
using namespace xplan::cloud;

namespace {

struct Token {
  std::string text;
  int64_t expires = 0;
};

// A service whose tokens are t1, t2, …, and a clock that stands still.
struct Service {
  std::atomic<int64_t> now{1000}, lifetime{3600};  // 0: without an end
  std::atomic<int> asked{0};
  std::atomic<bool> fails{false};
  Renewed<Token> kept{300, [this] { return now.load(); }};

  Result<Token> answer() {
    const int n = ++asked;
    if (fails) return Error{"no " + std::to_string(n)};
    return Token{"t" + std::to_string(n), lifetime == 0 ? 0 : now + lifetime};
  }
  // The token, or why there is none.
  std::string get(const std::string& refused = {}) {
    const Result<Token> t = kept.get([this](bool) { return answer(); },
                                     [&refused](const Token& had) { return had.text == refused; });
    return t ? t->text : t.error().message;
  }
  std::string get_at(int64_t when, const std::string& refused = {}) {
    now = when;
    return get(refused);
  }
};

}  // namespace

TEST_CASE("renewed: when a token is asked for") {
  Service s;
  CHECK(s.get() == "t1");  // until 4600
  CHECK(s.get_at(4299) == "t1");
  s.fails = true;
  CHECK(s.get_at(4300) == "t1");  // one attempt, which fails
  CHECK(s.get_at(4329) == "t1");
  CHECK(s.asked == 2);
  CHECK(s.get_at(4330) == "t1");  // the next one, half a minute later
  CHECK(s.get_at(4359) == "t1");
  CHECK(s.asked == 3);
  CHECK(s.get_at(4590) == "t1");
  CHECK(s.get_at(4599) == "t1");  // to its end
  CHECK(s.asked == 4);
  CHECK(s.get_at(4600) == "no 5");
  CHECK(s.get() == "no 6");  // nothing holds: no pause
  s.fails = false, s.lifetime = 40;
  CHECK(s.get_at(5000) == "t7");  // however short it lives
  CHECK(s.get_at(5029) == "t7");
  CHECK(s.get_at(5030) == "t8");
  s.lifetime = 10;
  CHECK(s.get_at(5060) == "t9");
  CHECK(s.get_at(5069) == "t9");
  CHECK(s.get_at(5070) == "t10");
  s.lifetime = 0;
  CHECK(s.get_at(5080) == "t11");
  CHECK(s.get_at(int64_t{1} << 40) == "t11");
  CHECK(s.asked == 11);
}

TEST_CASE("renewed: what was refused is replaced at once") {
  Service s;
  CHECK(s.get() == "t1");
  CHECK(s.get("t1") == "t2");
  CHECK(s.get("t1") == "t2");  // by somebody who used the old one, too
  s.fails = true;
  CHECK(s.get("t2") == "no 3");
  CHECK(s.get("t2") == "no 4");
  CHECK(s.get() == "t2");
  CHECK(s.asked == 4);
}

TEST_CASE("renewed: the first search is known as such") {
  Service s;
  std::string seen;
  for (const char* refused : {"", "", "t1", "t2"})
    (void)s.kept.get(
        [&](bool first) {
          seen += first ? 'f' : '-';
          return seen.size() == 1 ? Result<Token>(Error{"no"}) : s.answer();
        },
        [&](const Token& had) { return had.text == refused; });
  CHECK(seen == "ff--");
}

TEST_CASE("renewed: one asks, others go on with what holds, or wait and share what comes of it") {
  const struct {
    const char* about;
    bool before;  // there is a token: t1
    int64_t at;
    const char* refused;  // by the one who asks first
    bool fails;
    const char *first, *others;
    int asked;  // in all
    bool wait;  // the others do
  } rows[] = {
      {"due", true, 4400, "", false, "t2", "t1", 2, false},
      {"due, in vain", true, 4400, "", true, "t1", "t1", 2, false},
      {"ended", true, 4600, "", false, "t2", "t2", 2, true},
      {"ended, in vain", true, 4600, "", true, "no 2", "no 2", 2, true},
      {"refused", true, 1000, "t1", false, "t2", "t2", 2, true},
      {"refused, in vain", true, 1000, "t1", true, "no 2", "t1", 2, true},
      {"none yet", false, 1000, "", false, "t1", "t1", 1, true},
      {"none, in vain", false, 1000, "", true, "no 1", "no 1", 1, true},
  };
  for (const auto& row : rows) {
    INFO(row.about);
    Service s;
    if (row.before) CHECK(s.get() == "t1");
    s.now = row.at, s.fails = row.fails;
    std::promise<void> asking, answered;
    auto first = std::async(std::launch::async, [&]() -> std::string {
      const auto t = s.kept.get(
          [&](bool) {
            asking.set_value();
            answered.get_future().wait();
            return s.answer();
          },
          [&](const Token& had) { return had.text == row.refused; });
      return t ? t->text : t.error().message;
    });
    asking.get_future().wait();
    std::atomic<int> done{0};
    std::vector<std::future<std::string>> others;
    for (int i = 0; i < 4; ++i)
      others.push_back(std::async(std::launch::async, [&] {
        std::string got = s.get();
        ++done;
        return got;
      }));
    if (row.wait)
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    else
      for (auto& o : others) o.wait();
    CHECK(done == (row.wait ? 0 : 4));
    answered.set_value();
    for (auto& o : others) CHECK(o.get() == row.others);
    CHECK(first.get() == row.first);
    CHECK(s.asked == row.asked);
  }
}
