// What every store of objects has to do, for unit tests against its test server: what misbehaves is tried
// again or told, a run that is to stop stops asking, and a list ends.
#pragma once
#include <algorithm>
#include <atomic>
#include <catch2/catch.hpp>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/state/place.h"
#include "tests/support/server_program.h"

namespace xplan::test {

inline LockInfo lock_info(const std::string& id) {
  return {id, "OperationTypeApply", "", "me@host", "1.0", "2026-01-01T00:00:00Z", ""};
}

inline bool mentions(const std::string& text, std::string_view part) {
  return text.find(part) != text.npos;
}

struct Store {
  ServerProgram& server;
  std::function<std::unique_ptr<Place>(const std::atomic<bool>* stop)> open;
  std::string secret = "secret";            // what no message may contain
  std::string reading = "'method': 'GET'";  // which requests of the server read an object
  std::string id = "A";                     // of a lock
  bool says_why = true;                     // what is written: false where it asks for headers alone before
};

// What the server is told to do, with one request unless it says how often.
struct Fault {
  std::string rule, expected;  // in the message; empty: all is well in the end
  bool reading = false;        // only what reads meets it
};

// Of all stores.
inline const Fault kFaults[] = {
    {"'do': 'reset'", ""},
    {"'do': 'refuse'", ""},
    {"'do': 'refuse', 'status': 503", ""},
    {"'do': 'refuse', 'status': 429", ""},
    {"'do': 'wait', 'seconds': 0.2", ""},
    {"'do': 'after'", ""},
    {"'do': 'truncate'", "", true},
    {"'do': 'refuse', 'times': 9, 'status': 501", "501 Not Implemented"},
    {"'do': 'refuse', 'times': 9, 'status': 301, 'message': 'elsewhere'", "elsewhere"},
    {"'do': 'refuse', 'times': 9, 'status': 403, 'message': 'No\\n\\u0085[31m'", "No ?[31m"},
};

inline void check_fault(const Store& store, const Fault& f) {
  INFO(f.rule);
  store.server.control("{'forget': true}");
  const auto p = store.open(nullptr);
  const auto put = p->put("one", std::nullopt);
  REQUIRE(put);
  REQUIRE(!put->conflict);
  const std::string rule = f.rule + (f.reading ? ", 'on': {" + store.reading + "}" : "");
  for (const bool reads : {true, false}) {
    if (!reads && f.reading) continue;
    store.server.control("{'faults': [{" + rule + "}]}");
    std::string problem;
    if (reads) {
      const auto read = p->get();
      if (!read) problem = read.error().message;
      if (read) CHECK((*read && (*read)->bytes == "one"));
    } else {
      const auto written = p->put("two", put->version);
      if (!written) problem = written.error().message;
      if (written) CHECK(!written->conflict);
    }
    INFO(problem);
    const bool why = reads || store.says_why;
    CHECK((f.expected.empty() ? problem.empty() : why ? mentions(problem, f.expected) : !problem.empty()));
    CHECK(!mentions(problem, store.secret));
  }
}

// With those that only this store has.
inline void check_faults(const Store& store, const std::vector<Fault>& own) {
  for (const Fault& f : kFaults) check_fault(store, f);
  for (const Fault& f : own) check_fault(store, f);
}

// A look shows that a state is there, and that it is what it was; `reads`: whether a request reads an object.
inline void check_looks(const Store& store, const std::function<bool(const nlohmann::json&)>& reads,
                        bool exists = true) {
  const auto p = store.open(nullptr);
  CHECK(*p->exists() == false);
  CHECK(*p->is_still(std::nullopt) == true);
  const auto put = p->put("one", std::nullopt);
  REQUIRE(put);
  for (const auto& other : {std::optional<std::string>(), std::optional<std::string>("another")})
    CHECK(*p->is_still(other) == false);
  const auto count = [&] {
    const nlohmann::json log = store.server.log();
    return std::count_if(log.begin(), log.end(), reads);
  };
  const auto before = count();
  if (exists) CHECK(*p->exists() == true);
  CHECK(*p->is_still(put->version) == true);
  CHECK(!p->put("two", put->version)->conflict);
  CHECK(count() == before);
}

// Reading ends when the run is to stop, and so does what would release the lock of another one; writing and
// releasing do not, unless nothing was changed.
inline void check_stopping(const Store& store) {
  std::atomic<bool> stop{false};
  const auto p = store.open(&stop);
  LockInfo a = lock_info(store.id);
  REQUIRE(p->try_lock(a));
  stop = true;
  CHECK(p->get().error().message == "it was interrupted");
  REQUIRE(p->get(nullptr, true));  // to write
  REQUIRE(p->put_segment("a", "x"));
  CHECK(p->put_segment("b", "x", &stop).error().message.ends_with("it was interrupted"));
  CHECK(p->segments().error().message == "it was interrupted");
  CHECK(p->holder().error().message.ends_with("it was interrupted"));
  CHECK(p->get_segments({"a"}).error().message.ends_with("it was interrupted"));
  CHECK(*p->segments(true) == std::vector<std::string>{"a"});  // to remove them
  REQUIRE(p->remove_segment("a"));
  REQUIRE(p->put("one", std::nullopt));
  CHECK(*p->still_held() == true);
  CHECK(*p->holder(true));  // to tell whether it stays
  CHECK(!p->still_held(&stop));
  CHECK(p->break_lock(a.id).error().message.ends_with("it was interrupted"));
  REQUIRE(p->unlock());
  CHECK(p->try_lock(a).error().message == "it was interrupted");
  stop = false;
  LockInfo b = lock_info(store.id);
  REQUIRE(p->try_lock(b));
  stop = true;
  CHECK(p->unlock(&stop).error().message.ends_with("it was interrupted"));  // nothing was changed
}

// More often than what reads is tried again: a server that is restarted does not cost an apply.
inline void check_patience(const Store& store) {
  const auto p = store.open(nullptr);
  REQUIRE(p->put("one", std::nullopt));
  store.server.control("{'faults': [{'do': 'reset', 'times': 5, 'on': {'method': 'PUT'}}]}");
  const auto put = p->put("two", (*p->get())->version);
  REQUIRE(put);
  CHECK(!put->conflict);
}

// What is not what was written can be replaced by whoever does not care.
inline void check_force(const Store& store) {
  const auto p = store.open(nullptr);
  REQUIRE(p->put("one", std::nullopt));
  store.server.control("{'faults': [{'do': 'corrupt', 'times': 99, 'on': {" + store.reading + "}}]}");
  REQUIRE(!p->get());
  const auto version = p->version();
  REQUIRE((version && *version));
  const auto put = p->put("two", *version);
  REQUIRE(put);
  CHECK(!put->conflict);
  store.server.control("{'faults': []}");
  CHECK((*p->get())->bytes == "two");
}

// `object`: the lock, as the server names it. Where the answer to a deletion is lost, another one would be of
// the lock that somebody else has taken meanwhile; what was not carried out is tried again.
inline void check_unheard_release(const Store& store, const std::string& object) {
  const auto p = store.open(nullptr);
  LockInfo mine = lock_info(store.id);
  REQUIRE(p->try_lock(mine));
  const auto rule = [&](const char* method, const char* what, int skip) {
    return nlohmann::json{{"on", {{"method", method}}},
                          {"do", what},
                          {"skip", skip},
                          {"object", object},
                          {"text", lock_info("other").json()}};
  };
  nlohmann::json order;
  order["faults"] = {rule("DELETE", "after", 0), rule("DELETE", "steal", 0), rule("GET", "steal", 1)};
  store.server.control(order.dump());
  REQUIRE(p->unlock());
  CHECK(*p->holder());
  store.server.control("{'faults': [], 'objects': {'" + object + "': null}}");
  REQUIRE(!p->try_lock(mine)->held);
  store.server.control(
      "{'faults': [{'do': 'refuse', 'status': 503, 'times': 2, 'on': {'method': 'DELETE'}}]}");
  REQUIRE(p->unlock());
  CHECK(!*p->holder());
}

// `page`: one that says that there is another, but always the same.
inline void check_endless_list(const Store& store, const std::string& page) {
  const auto p = store.open(nullptr);
  const nlohmann::json rule = {{"do", "say"}, {"times", 100}, {"on", {{"method", "GET"}}}, {"body", page}};
  store.server.control(nlohmann::json{{"forget", true}, {"faults", {rule}}}.dump());
  const auto names = p->segments();
  REQUIRE_FALSE(names);
  CHECK(mentions(names.error().message, "the server keeps returning further pages"));
  CHECK(store.server.log().size() == 2);
}

// `bodies`: answers that are no lists, or harm whoever reads them.
inline void check_bad_lists(const Store& store, const std::vector<std::string>& bodies) {
  const auto p = store.open(nullptr);
  for (const std::string& body : bodies) {
    INFO(body);
    const nlohmann::json rule = {{"do", "say"}, {"times", 9}, {"on", {{"method", "GET"}}}, {"body", body}};
    store.server.control(nlohmann::json{{"forget", true}, {"faults", {rule}}}.dump());
    CHECK(!p->segments());
  }
}

}  // namespace xplan::test
