// The plugin client against a plugin that behaves, and against the same plugin when it does not.
#include <signal.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include "core/base/fs.h"
#include "core/provider/plugin/plugin.h"
#include "core/schema/object_of.h"
#include "tests/support/folder.h"

using namespace xplan;

namespace {

const Symbol kThing("test_thing");
ProviderAddr address() {
  return *parse_provider_addr("example/test");
}

// A working place of its own, and the plugin's behaviour for as long as it lives.
struct Place {
  test::Folder folder;
  const std::string& dir = folder.path;
  explicit Place(const std::string& behaviour) {
    setenv("XPLAN_TEST_PLUGIN", behaviour.c_str(), 1);
    setenv("XPLAN_TEST_COUNT", (dir + "/count").c_str(), 1);
    unsetenv("TF_REATTACH_PROVIDERS");
    unsetenv("TF_DISABLE_PLUGIN_TLS");
  }
  void behave(const std::string& how) { setenv("XPLAN_TEST_PLUGIN", how.c_str(), 1); }
  std::unique_ptr<ProviderFactory> factory(const std::string& path = TEST_PLUGIN,
                                           const std::atomic<bool>* stop = nullptr) {
    PluginOptions o;
    o.stop = stop;
    o.cache_dir = dir + "/cache";
    o.start_seconds = 5;
    o.shutdown_millis = 300;
    return make_plugin_factory({{address(), path, "1.0.0"}}, o);
  }
  int count(const std::string& line) const {
    std::ifstream in(dir + "/count");
    int n = 0;
    for (std::string l; std::getline(in, l);) n += l == line || l.starts_with(line + " ");
    return n;
  }
};

std::shared_ptr<Provider> start(ProviderFactory& f) {
  Diagnostics diags;
  auto p = f.start(address(), diags);
  for (const Diagnostic& d : diags.all()) UNSCOPED_INFO(d.summary << ": " << d.detail);
  REQUIRE(p);
  return p;
}
std::string start_error(ProviderFactory& f) {
  Diagnostics diags;
  CHECK_FALSE(f.start(address(), diags));
  return diags.empty() ? "" : diags.all()[0].summary + ": " + diags.all()[0].detail;
}
std::string text(const ProviderDiags& diags) {
  std::string out;
  for (const ProviderDiag& d : diags) out += d.summary + ": " + d.detail + "\n";
  return out;
}

Value provider_config(const Provider& p, const char* region) {
  return schema::object_of(p.schema()->provider.block.implied_type(),
                           {region ? Value::string(region) : Value::null(Type::string())});
}
Value thing(const Provider& p, const char* name) {
  Type t = p.schema()->find(Mode::Managed, kThing)->block.implied_type();
  std::vector<Value> attrs;
  for (size_t i = 0; i < t.elements().size(); ++i) {
    Type e = t.elements()[i];
    attrs.push_back(t.attr_names()[i].sv() == "name"   ? Value::string(name)
                    : t.attr_names()[i].sv() == "rule" ? Value::list(e.element(), {})
                                                       : Value::null(e));
  }
  return schema::object_of(t, std::move(attrs));
}
PlanRequest creation(const Provider& p, const char* name) {
  PlanRequest r;
  r.type = kThing;
  r.config = r.proposed = thing(p, name);
  r.prior = Value::null(r.config.type());
  return r;
}

}  // namespace

TEST_CASE("a plugin goes through its life, however it is served") {
  for (const char* how : {"", "p256", "plain", "tcp", "tcp plain", "five", "optional", "stubborn"}) {
    CAPTURE(how);
    Place place(how);
    {
      auto f = place.factory();
      auto p = start(*f);
      CHECK(p->plans_destroy());
      REQUIRE(p->schema()->find(Mode::Managed, kThing));
      CHECK(text(p->validate_provider(provider_config(*p, "here"))) == "");
      CHECK(text(p->configure({provider_config(*p, "here"), false})) == "");
      CHECK(place.count("region here") == 1);
      CHECK(place.count("1.11.4") == 1);
      ProviderDiags bad = p->validate_resource(Mode::Managed, kThing, thing(*p, "bad"));
      REQUIRE(bad.size() == 1);
      CHECK((bad[0].summary == "Bad name" && path_text(bad[0].path) == ".name"));
      CHECK(p->validate_resource(Mode::Managed, kThing, thing(*p, "good")).empty());

      PlanResponse planned = p->plan(creation(*p, "n"));
      CHECK(text(planned.diags) == "");
      CHECK(planned.planned.attr("id").is_unknown());
      CHECK(planned.planned_private.starts_with("planned by "));
      PlanRequest again = creation(*p, "n");
      again.planned_private = planned.planned_private;
      CHECK(p->plan(again).planned_private == planned.planned_private + ", and again");
      REQUIRE(planned.requires_replace.size() == 1);
      CHECK(path_text(planned.requires_replace[0]) == ".rule[0].port");
      ApplyRequest a;
      a.type = kThing;
      a.config = thing(*p, "n");
      a.prior = Value::null(a.config.type());
      a.planned = planned.planned;
      a.planned_private = planned.planned_private;
      ApplyResponse applied = p->apply(a);
      CHECK(text(applied.diags) == "");
      CHECK(applied.new_state.attr("id").as_string() == "i-1");
      CHECK(applied.private_data == planned.planned_private + ", applied");
      bool five = std::string(how) == "five";
      CHECK(applied.new_identity.is_null() == five);
      ReadRequest q;
      q.type = kThing;
      q.current = applied.new_state;
      q.private_data = "kept";
      ReadResponse r = p->read(q);
      CHECK(r.new_state.raw_equal(applied.new_state));
      CHECK(r.private_data == "kept");
      UpgradeResponse u = p->upgrade(kThing, 1, "{}", {});
      CHECK(u.state.attr("name").as_string() == "{}");
      u = p->upgrade(kThing, 1, "", {{"name", "from a map"}});
      CHECK(u.state.attr("name").as_string() == "from a map");
      FunctionResponse fr = p->call_function(Symbol("shout"), {Value::string("hey")});
      if (five)
        CHECK_THAT(fr.error, Catch::Contains("has no CallFunction"));
      else
        CHECK(fr.result.as_string() == "hey!");
      if (!five) {
        fr = p->call_function(Symbol("shout"), {Value::string("fail")});
        CHECK((fr.error == "will not" && fr.argument == 0));
      }
      p->stop();
    }
    CHECK(place.count("start") == 1);
    CHECK(place.count("shutdown") == 1);
  }
}

TEST_CASE("a plugin without TLS when it is switched off") {
  Place place("");
  setenv("TF_DISABLE_PLUGIN_TLS", "1", 1);
  auto f = place.factory();
  CHECK(text(start(*f)->validate_resource(Mode::Managed, kThing, thing(*start(*f), "x"))) == "");
}

TEST_CASE("programs that are not plugins") {
  for (auto [how, says] : {std::pair("garbage", "Usage: this is no plugin"),
                           std::pair("binary", "first line"), std::pair("panic", "panic: no luck"),
                           std::pair("code", "exited with code 7"), std::pair("old", "protocol 4")}) {
    CAPTURE(how);
    Place place(how);
    auto f = place.factory();
    std::string e = start_error(*f);
    CHECK_THAT(e, Catch::Contains("Failed to start a provider") && Catch::Contains("example/test") &&
                      Catch::Contains(says));
    CHECK(start_error(*f) == e);
    CHECK(place.count("start") == 1);  // once is enough
  }
  Place place("silent");
  PluginOptions o;
  o.start_seconds = 1;
  o.schema_cache = false;
  auto f = make_plugin_factory({{address(), TEST_PLUGIN, "1"}}, o);
  CHECK_THAT(start_error(*f), Catch::Contains("within 1 seconds"));
  auto absent = place.factory("/nonexistent/plugin");
  CHECK_THAT(start_error(*absent), Catch::Contains("/nonexistent/plugin"));
  auto other = make_plugin_factory({}, o);
  CHECK_THAT(start_error(*other),
             Catch::Contains("Required plugins are not installed") && Catch::Contains("xplan init"));
  Diagnostics none;
  CHECK(other->start(*parse_provider_addr("terraform"), none));
}

TEST_CASE("answers that are not what they should be") {
  struct Case {
    const char* how;
    std::string (*ask)(Provider&);
    const char* says;
  };
  auto plan = [](Provider& p) { return text(p.plan(creation(p, "n")).diags); };
  auto read = [](Provider& p) {
    ReadRequest q;
    q.type = kThing;
    q.current = thing(p, "n");
    ReadResponse r = p.read(q);
    CHECK(r.new_state.raw_equal(q.current));  // nothing is lost because of it
    return text(r.diags);
  };
  auto upgrade = [](Provider& p) { return text(p.upgrade(kThing, 1, "{}", {}).diags); };
  auto nothing = [](Provider& p) {
    ApplyRequest a;
    a.type = kThing;
    a.config = a.planned = thing(p, "n");
    a.prior = Value::null(a.config.type());
    ApplyResponse r = p.apply(a);
    CHECK((r.new_state.is_null() && r.new_state.type().is_dynamic()));
    return text(r.diags);
  };
  for (const Case& c : std::vector<Case>{
           {"malformed=plan", plan, "PlanResourceChange for type test_thing is not valid"},
           {"wrong=plan", plan, "PlanResourceChange for type test_thing is not valid"},
           {"defer", plan, "not allowed"},
           {"malformed=read", read, "ReadResource for type test_thing is not valid"},
           {"wrong=read", read, "ReadResource for type test_thing is not valid"},
           {"null=upgrade", upgrade, "the upgraded object is null"},
           {"malformed=apply", nothing, "ApplyResourceChange for type test_thing"},
           {"nothing=apply", nothing, ""},
           {"die=plan", plan, "panic: the test wants it"},
           {"die=plan", plan, "exited with code 2"},
           {"die=read", read, "exited with code 2 during ReadResource for type test_thing"},
       }) {
    CAPTURE(c.how);
    Place place(c.how);
    auto f = place.factory();
    auto p = start(*f);
    std::string said = c.ask(*p);
    CHECK_THAT(said, Catch::Contains(c.says));
    if (*c.says) CHECK_THAT(said, Catch::Contains("example/test"));
  }
}

TEST_CASE("a change without an answer that can be read says what may be, and what to do") {
  struct Case {
    const char* how;
    bool prior, planned;
    const char* says;
  };
  for (const Case& c : std::vector<Case>{
           {"die=apply", false, true, "outcome of the change is unknown. An object may exist"},
           {"malformed=apply", false, true, "outcome of the change is unknown. An object may exist"},
           {"wrong=apply", false, true, "outcome of the change is unknown. An object may exist"},
           {"die=apply", true, true, "outcome of the change is unknown. The state has the object as it was"},
           {"die=apply", true, false, "outcome of the change is unknown. The state still has the object"},
       }) {
    CAPTURE(c.how, c.prior, c.planned);
    Place place(c.how);
    auto f = place.factory();
    auto p = start(*f);
    CHECK(text(p->configure({provider_config(*p, "r"), false})) == "");
    const Value object = thing(*p, "n"), none = Value::null(object.type());
    ApplyRequest a;
    a.type = kThing;
    a.prior = c.prior ? object : none;
    a.config = a.planned = c.planned ? object : none;
    ApplyResponse r = p->apply(a);
    CHECK((r.new_state.is_null() && r.new_state.type().is_dynamic()));
    CHECK_THAT(text(r.diags), Catch::Contains(c.says));
    if (std::string_view(c.how) != "die=apply") continue;
    // What is asked of it later cannot have begun.
    CHECK_THAT(text(p->apply(a).diags), !Catch::Contains("outcome"));
  }
}

TEST_CASE("a call on a plugin that is gone names it, again and again") {
  Place place("die=plan");
  auto f = place.factory();
  auto p = start(*f);
  CHECK(text(p->configure({provider_config(*p, "r"), false})) == "");
  p->plan(creation(*p, "n"));
  const ProviderDiags diags = p->plan(creation(*p, "n")).diags;
  CHECK_THAT(text(diags), Catch::Contains("example/test") && Catch::Contains("panic: the test wants it"));
  CHECK(diags.at(0).of_many);  // so people are told once, however many objects it is asked about
  CHECK(place.count("start") == 1);
}

TEST_CASE("a plugin that never tells its schema is not waited for when the run is to end") {
  for (const char* how : {"hang=schema", "hang=schema stubborn"}) {
    CAPTURE(how);
    Place place(how);
    std::atomic<bool> stop = false;
    auto f = place.factory(TEST_PLUGIN, &stop);
    std::thread interrupt([&] {
      for (int i = 0; i < 500 && !place.count("schema"); ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
      stop = true;
    });
    const auto begun = std::chrono::steady_clock::now();
    std::string said = start_error(*f);
    interrupt.join();
    f.reset();
    CHECK(std::chrono::steady_clock::now() - begun < std::chrono::seconds(10));
    CHECK_THAT(said, Catch::Contains("example/test") && Catch::Contains("the run was interrupted"));
  }
}

TEST_CASE(
    "a plugin that is killed because the run was interrupted: what is said, and what is not asked of it") {
  struct Case {
    const char* how;
    bool told;
    const char* says;
  };
  for (const Case& c : {Case{"hang=validate", false, "had not yet responded, so it was stopped"},
                        Case{"hang=validate hang=stop", true, "did not respond to the request to stop"}}) {
    CAPTURE(c.how);
    Place place(c.how);
    std::atomic<bool> stop = false;
    auto f = place.factory(TEST_PLUGIN, &stop);
    auto p = start(*f);
    CHECK(text(p->configure({provider_config(*p, "r"), false})) == "");
    stop = true;
    std::thread teller([&] {
      if (c.told) p->stop();
    });
    const auto begun = std::chrono::steady_clock::now();
    const std::string said = text(p->validate_resource(Mode::Managed, kThing, thing(*p, "n")));
    CHECK(std::chrono::steady_clock::now() - begun < std::chrono::seconds(8));
    teller.join();
    CHECK_THAT(said, Catch::Contains("interrupted during Validate") && Catch::Contains(c.says));
    ApplyRequest a;
    a.type = kThing;
    a.config = a.planned = thing(*p, "n");
    a.prior = Value::null(a.config.type());
    CHECK_THAT(text(p->apply(a).diags),
               Catch::Contains("interrupted before ApplyResourceChange") && !Catch::Contains("outcome"));
    CHECK(place.count("apply") == 0);
  }
}

TEST_CASE("a plugin that answers is not killed when the run was interrupted") {
  for (const char* how : {"slow=validate", "hang=stop"}) {
    CAPTURE(how);
    Place place(how);
    std::atomic<bool> stop = false;
    auto f = place.factory(TEST_PLUGIN, &stop);
    auto p = start(*f);
    CHECK(text(p->configure({provider_config(*p, "r"), false})) == "");
    stop = true;
    if (std::string_view(how) == "hang=stop") p->stop();
    for (int i = 0; i < 2; ++i)
      CHECK(text(p->validate_resource(Mode::Managed, kThing, thing(*p, "n"))) == "");
  }
}

TEST_CASE("messages far larger than gRPC takes by default") {
  Place place("big=plan");
  auto f = place.factory();
  auto p = start(*f);
  PlanResponse r = p->plan(creation(*p, "n"));
  CHECK(text(r.diags) == "");
  CHECK(r.planned.attr("id").as_string().size() == 80u << 20);
}

TEST_CASE("a schema that contradicts itself is an error, and not kept") {
  Place place("badschema");
  {
    auto f = place.factory();
    CHECK_THAT(start_error(*f),
               Catch::Contains("Invalid provider schema") && Catch::Contains("name is required"));
  }
  place.behave("");
  auto f = place.factory();
  start(*f);
}

TEST_CASE("the schema is kept on disk, and then nothing is started for it") {
  Place place("optional");
  { start(*place.factory()); }
  CHECK(place.count("start") == 1);
  {
    auto f = place.factory();
    auto p = start(*f);
    CHECK(p->schema()->find(Mode::Managed, kThing));
    CHECK(p->schema()->identities.size() == 1);
    CHECK(place.count("start") == 1);
    p->validate_resource(Mode::Managed, kThing, thing(*p, "x"));
    CHECK(place.count("start") == 2);
    CHECK(place.count("schema") == 1);  // optional: not asked for again
  }
  for (const auto& e : std::filesystem::directory_iterator(place.dir + "/cache")) {
    if (!e.path().filename().string().starts_with("schema-")) continue;
    std::fstream file(e.path(), std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(120);
    file.put('\x7e');
  }
  start(*place.factory());
  CHECK(place.count("start") == 3);  // what is damaged is as if absent
}

TEST_CASE("without a folder for schemas none is kept, in the working folder least of all") {
  Place place("optional");
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::create_directory(place.dir + "/work");
  std::filesystem::current_path(place.dir + "/work");
  PluginOptions o;
  o.schema_cache = false;
  start(*make_plugin_factory({{address(), TEST_PLUGIN, "1.0.0"}}, o));
  CHECK(std::filesystem::is_empty("."));
  std::filesystem::current_path(before);
}

TEST_CASE("a plugin that insists on being asked for its schema is asked") {
  Place place("");
  { start(*place.factory()); }
  auto f = place.factory();
  auto p = start(*f);
  p->validate_resource(Mode::Managed, kThing, thing(*p, "x"));
  CHECK(place.count("schema") == 2);
}

TEST_CASE("a schema that depends on more than the program is noticed, and not kept again") {
  Place place("");
  { start(*place.factory()); }
  place.behave("five");  // has fewer attributes
  {
    auto f = place.factory();
    auto p = start(*f);
    CHECK_THAT(text(p->configure({provider_config(*p, "r"), false})),
               Catch::Contains("example/test") &&
                   Catch::Contains("a different schema than when this command started"));
  }
  for (int i = 0; i < 2; ++i) {
    auto f = place.factory();
    auto p = start(*f);
    CHECK(text(p->configure({provider_config(*p, "r"), false})) == "");
    place.behave("");
  }
}

TEST_CASE("one process per configuration") {
  Place place("optional");
  auto f = place.factory();
  auto a = start(*f), b = start(*f), c = start(*f);
  a->validate_provider(provider_config(*a, "one"));
  c->validate_resource(Mode::Managed, kThing, thing(*c, "x"));
  CHECK(place.count("start") == 1);
  CHECK(text(a->configure({provider_config(*a, "one"), false})) == "");
  CHECK(place.count("start") == 1);
  CHECK(text(b->configure({provider_config(*b, "two"), false})) == "");
  CHECK(place.count("start") == 2);
  auto d = start(*f);  // the same configuration again, as apply after plan has it
  CHECK(text(d->configure({provider_config(*d, "one"), false})) == "");
  CHECK((place.count("start") == 2 && place.count("configure") == 2));
  CHECK(text(d->plan(creation(*d, "n")).diags) == "");
  a.reset(), b.reset();
  CHECK(text(d->plan(creation(*d, "n")).diags) == "");
  auto e = start(*f);  // another one: a plugin is configured only once
  CHECK(text(e->configure({provider_config(*e, "three"), false})) == "");
  CHECK((place.count("start") == 3 && place.count("configure") == 3));
}

TEST_CASE("many calls at once on one connection") {
  Place place("");
  auto f = place.factory();
  auto p = start(*f);
  std::vector<std::thread> threads;
  std::atomic<int> good{0};
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([&] {
      for (int j = 0; j < 20; ++j) good += p->plan(creation(*p, "n")).diags.empty();
    });
  for (std::thread& t : threads) t.join();
  CHECK(good == 160);
  CHECK(place.count("start") == 1);
}

TEST_CASE("a provider that already runs is attached to, and left alone") {
  Place place("plain");
  std::string command = std::string("TF_PLUGIN_MAGIC_COOKIE=x ") + TEST_PLUGIN + " & echo $!; wait";
  FILE* pipe = popen(command.c_str(), "r");
  REQUIRE(pipe);
  char line[512];
  REQUIRE(fgets(line, sizeof line, pipe));
  pid_t pid = atoi(line);
  REQUIRE(fgets(line, sizeof line, pipe));  // its handshake
  std::string socket = std::string(line).substr(std::string(line).find("/tmp"));
  socket = socket.substr(0, socket.find('|'));
  setenv("TF_REATTACH_PROVIDERS",
         ("{\"example/test\":{\"Protocol\":\"grpc\",\"ProtocolVersion\":6,\"Pid\":1,\"Test\":true,\"Addr\":"
          "{\"Network\":\"unix\",\"String\":\"" +
          socket + "\"}}}")
             .c_str(),
         1);
  Diagnostics diags;
  REQUIRE(reattached_providers(diags).size() == 1);
  {
    auto f = make_plugin_factory({});
    auto p = start(*f);
    CHECK(text(p->configure({provider_config(*p, "x"), false})) == "");
    CHECK(text(p->plan(creation(*p, "n")).diags) == "");
  }
  CHECK(kill(pid, 0) == 0);
  CHECK(place.count("shutdown") == 0);
  setenv("TF_REATTACH_PROVIDERS", "{", 1);
  auto f = make_plugin_factory({});
  CHECK_THAT(start_error(*f), Catch::Contains("TF_REATTACH_PROVIDERS"));
  kill(pid, SIGKILL);
  pclose(pipe);
}

TEST_CASE("plugins die with the program, even when it is killed") {
  Place place("");
  setenv("XPLAN_TEST_HOST", "1", 1);
  FILE* pipe = popen((std::string(TEST_PLUGIN) + " & echo $!; wait").c_str(), "r");
  unsetenv("XPLAN_TEST_HOST");
  REQUIRE(pipe);
  char line[512];
  REQUIRE(fgets(line, sizeof line, pipe));
  pid_t host = atoi(line), plugin = 0;
  auto wait_for = [](auto done) {
    for (int i = 0; i < 300 && !done(); ++i) usleep(100'000);
    return done();
  };
  REQUIRE(wait_for([&] {
    std::ifstream in(place.dir + "/count");
    bool started = false;
    for (std::string l; std::getline(in, l);) {
      if (l.starts_with("start ")) plugin = atoi(l.c_str() + 6);
      started |= l == "schema";
    }
    return started && plugin;
  }));
  CHECK(kill(plugin, 0) == 0);
  kill(host, SIGKILL);
  CHECK(wait_for([&] {
    if (kill(plugin, 0) != 0) return true;
    std::ifstream stat("/proc/" + std::to_string(plugin) + "/stat");  // nobody may have collected it yet
    std::string all((std::istreambuf_iterator<char>(stat)), {});
    return all.find(") Z") != std::string::npos;
  }));
  pclose(pipe);
}

TEST_CASE("calls without configuration go on after the plugin has ended, and do not start it for ever") {
  for (bool recovers : {true, false}) {
    CAPTURE(recovers);
    Place place("die=validate");
    auto f = place.factory();
    auto p = start(*f);
    auto validate = [&] { return text(p->validate_resource(Mode::Managed, kThing, thing(*p, "n"))); };
    CHECK_THAT(validate(), Catch::Contains("panic: the test wants it"));
    if (recovers) place.behave("");
    for (int i = 0; i < 3; ++i) {
      const std::string said = validate();
      if (recovers)
        CHECK(said == "");
      else
        CHECK_THAT(said, Catch::Contains("example/test") && Catch::Contains("panic: the test wants it"));
    }
    CHECK(place.count("start") == 2);
  }
}

TEST_CASE("a schema is asked for again where the plugin that was started has ended") {
  {
    Place first("");  // fills the cache
    auto f = first.factory();
    start(*f);
  }
  Place place("optional");
  auto f = place.factory();
  start(*f);
  f.reset();
  f = place.factory();  // the schema comes from the cache
  auto p = start(*f);
  place.behave("optional die=validate");
  p->validate_resource(Mode::Managed, kThing, thing(*p, "n"));
  place.behave("optional");
  const int asked = place.count("schema");
  f->renew_schemas(config::Renew::All);
  CHECK(place.count("schema") == asked + 1);
}
