// A call under way: its end by a stop or a timeout, and exceptions. Log lines.
#include <atomic>
#include <catch2/catch.hpp>
#include <thread>

#include "core/provider/kit/typed.h"
#include "core/provider/kit/validators.h"
#include "core/value/json.h"

using namespace xplan;
using namespace std::chrono_literals;

namespace {

struct Slow {
  std::string how;
  kit::Timeouts timeouts;
  static kit::Fields<Slow> fields() {
    return {{{"how", &Slow::how, kit::required()},
             {"timeouts", &Slow::timeouts, kit::timeouts_block({.create = 0s, .remove = 30ms})}}};
  }
};

class SlowOnes : public kit::ResourceOf<Slow> {
 public:
  explicit SlowOnes(std::atomic<int>& waiting) : waiting_(waiting) {}
  void create(Slow& s, kit::Call& call) override { wait(s, call); }
  void read(Slow& s, kit::Call& call) override { wait(s, call); }
  void update(Slow&, const Slow&, kit::Call&) override { throw 42; }
  void remove(const Slow& s, kit::Call& call) override { wait(s, call); }

 private:
  void wait(const Slow& s, kit::Call& call) {
    ++waiting_;
    if (s.how == "at once") return;
    if (s.how == "sleeps") return call.sleep(1h);
    std::atomic<bool> told = false;
    std::stop_callback tell(call.stop_token(), [&] {
      told = true;
      told.notify_all();
    });
    told.wait(false);
    if (s.how == "gives up") call.check();
    if (s.how == "says why") throw kit::Failure("Given up");
  }
  std::atomic<int>& waiting_;
};

struct Slows {
  std::atomic<int> waiting = 0;
  kit::Provider provider;
  Slows() { provider.add<SlowOnes>("s_slow", waiting); }
  Value object(const std::string& how, const std::string& timeouts) {
    const Type t = provider.schema()->find(Mode::Managed, Symbol("s_slow"))->block.implied_type();
    Result<Value> v = parse_json_as(R"({"how":")" + how + "\"" + timeouts + "}", t);
    REQUIRE(v);
    return *v;
  }
  std::string apply(const Value& prior, const Value& planned) {
    ApplyRequest r;
    r.type = Symbol("s_slow"), r.prior = prior, r.planned = r.config = planned;
    std::string out;
    for (const ProviderDiag& d : provider.apply(r).diags) out += d.summary + ": " + d.detail;
    return out;
  }
};

}  // namespace

TEST_CASE("a timeout ends a call that looks, and is said with the operation") {
  struct Case {
    const char *about, *how, *timeouts;
    bool remove;
    std::string said;
  };
  const std::string create =
      "Timeout: The provider was still creating s_slow when its timeout of 20 ms was over. "
      "Set \"create\" in \"timeouts\" to allow more time.";
  const std::string remove =
      "Timeout: The provider was still deleting s_slow when its timeout of 30 ms was over. "
      "Set \"delete\" in \"timeouts\" to allow more time.";
  const char* set = R"(,"timeouts":{"create":"20ms"})";
  for (const Case& c :
       {Case{"sleeping", "sleeps", set, false, create}, Case{"told", "gives up", set, false, create},
        Case{"its own words", "says why", set, false, "Given up: "},
        Case{"done all the same", "ends well", set, false, ""},
        Case{"in time", "at once", R"(,"timeouts":{"create":"1h"})", false, ""},
        Case{"a default", "sleeps", "", true, remove}}) {
    INFO(c.about);
    Slows s;
    const Value object = s.object(c.how, c.timeouts), none = Value::null(object.type());
    CHECK(s.apply(c.remove ? object : none, c.remove ? none : object) == c.said);
  }
}

TEST_CASE("a stop reaches the calls that run, and later ones begin") {
  Slows s;
  const Value none = Value::null(s.object("", "").type());
  std::string said[3];
  const char* hows[] = {"sleeps", "gives up", "ends well"};
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i)
    threads.emplace_back([&, i] { said[i] = s.apply(none, s.object(hows[i], "")); });
  while (s.waiting < 3) std::this_thread::yield();
  s.provider.stop();
  for (std::thread& t : threads) t.join();
  CHECK(said[0] == "Operation interrupted: The provider was told to stop while creating s_slow.");
  CHECK(said[1] == said[0]);
  CHECK(said[2] == "");
  CHECK(s.apply(none, s.object("at once", "")) == "");
}

TEST_CASE("an exception is an error of its call, whatever was thrown") {
  Slows s;
  const Value object = s.object("at once", "");
  CHECK(s.apply(object, object) ==
        "Unexpected failure of the provider: The provider failed while updating s_slow: an exception of "
        "unknown "
        "type. This is a bug in the provider.");
  kit::Provider p;
  p.set_config({{kit::string("url").optional().validate(kit::validator(
                   "Fails.", [](const kit::ValidateRequest&, ProviderDiags&) { throw std::bad_alloc(); }))}},
               [](const ConfigureRequest&) -> kit::ConfigureResult {
                 throw kit::Failure("No service", "None there.");
               });
  p.add_function("boom", {"Fails."}, []() -> std::string { throw kit::Failure("Boom"); });
  const Value config = Value::object({{Symbol("url"), Value::string("x")}});
  ProviderDiags found = p.configure({config, false});
  REQUIRE(found.size() == 1);
  CHECK(found[0].summary + found[0].detail == "No serviceNone there.");
  found = p.validate_provider(config);
  REQUIRE(found.size() == 1);
  CHECK(found[0].detail ==
        "The provider failed while validating the provider: std::bad_alloc. This is a bug in the provider.");
  CHECK(p.call_function(Symbol("boom"), {}).error == "Boom");
}

TEST_CASE("durations in timeouts are checked") {
  Slows s;
  for (auto [text, ok] :
       {std::pair("30m", true), std::pair("1h30m", true), std::pair("soon", false), std::pair("30", false)}) {
    INFO(text);
    const Value v = s.object("x", std::string(R"(,"timeouts":{"create":")") + text + "\"}");
    ProviderDiags found = s.provider.validate_resource(Mode::Managed, Symbol("s_slow"), v);
    CHECK(found.empty() == ok);
    if (!ok) CHECK(path_text(found.at(0).path) == ".timeouts.create");
  }
}

TEST_CASE("log lines of a program are JSON with fields, above the level that is asked for") {
  struct Case {
    std::map<std::string, std::string> environment;
    std::vector<std::string> written;
  };
  const Case cases[] = {{{}, {"error", "warn"}},
                        {{{"TF_LOG", "info"}}, {"error", "warn", "info"}},
                        {{{"TF_LOG", "trace"}, {"TF_LOG_PROVIDER", "ERROR"}}, {"error"}},
                        {{{"TF_LOG_PROVIDER", "off"}, {"TF_LOG_PROVIDER_MY_NOTES", "DEBUG"}},
                         {"error", "warn", "info", "debug"}},
                        {{{"XPLAN_LOG_PROVIDER", "warn"}, {"TF_LOG", "off"}}, {"error", "warn"}},
                        {{{"TF_LOG", "off"}}, {}}};
  for (const Case& c : cases) {
    std::vector<std::string> lines;
    kit::log_as_program(
        "my-notes",
        [&](const char* name) {
          auto it = c.environment.find(name);
          return it == c.environment.end() ? nullptr : it->second.c_str();
        },
        [&](std::string_view line) { lines.emplace_back(line); });
    kit::Logger log = kit::Logger().with({{"rpc", "create"}, {"empty", ""}});
    log.error("error"), log.warn("warn"), log.info("info"), log.debug("debug", {{"id", "4\"2"}}),
        log.trace("trace");
    std::vector<std::string> levels;
    for (const std::string& line : lines) {
      Result<Value> v = parse_json(line);
      REQUIRE(v);
      CHECK(line.back() == '\n');
      CHECK(v->find_attr("@module")->as_string() == "provider");
      CHECK(v->find_attr("@level")->as_string() == v->find_attr("@message")->as_string());
      CHECK(v->find_attr("rpc")->as_string() == "create");
      CHECK_FALSE(v->find_attr("empty"));
      if (const Value* id = v->find_attr("id")) CHECK(id->as_string() == "4\"2");
      levels.emplace_back(v->find_attr("@level")->as_string());
    }
    if (c.environment.count("TF_LOG") && c.environment.at("TF_LOG") == "trace" &&
        !c.environment.count("TF_LOG_PROVIDER"))
      levels.pop_back();
    CHECK(levels == c.written);
  }
  kit::log_as_program("", [](const char*) { return nullptr; }, {});  // as it was
}
