// Deferral with a provider that asks for it: what is deferred along with it, unknown provider
// configurations, imports with unknown ids.
#include <catch2/catch.hpp>

#include "tests/support/fickle_provider.h"
#include "tests/support/test_world.h"

using namespace xplan;
using namespace xplan::test;

namespace {

constexpr const char* kHead =
    "terraform {\n required_providers {\n  fickle = { source = \"example.com/test/fickle\" }\n }\n}\n";

struct FickleWorld : TestWorld {
  FickleScript script;
  explicit FickleWorld(std::string main_tf) : TestWorld(kHead + main_tf) {
    make_factory = [this] { return std::make_unique<FickleFactory>(script); };
  }
  Plan partial(PlanOptions o = {}) {
    o.deferral_allowed = true;
    return plan(o);
  }
  bool called(const std::string& what) const { return script.calls.contains(what); }
};

std::string deferred(const Plan& p) {
  static constexpr const char* names[] = {"no-op",         "create",        "read",   "update",
                                          "delete/create", "create/delete", "delete", "forget"};
  std::string s;
  for (const DeferredChange& d : p.deferred)
    s += d.change.addr.text() + " " + names[static_cast<size_t>(d.change.change.action)] + " " +
         std::string(deferred_reason_name(d.reason)) + "\n";
  return s;
}

}  // namespace

TEST_CASE("deferral: what a provider defers, with all that depends on it") {
  struct Row {
    const char *about, *config, *call;
    Deferral why;
    const char *does, *puts_off;
  };
  const Row rows[] = {
      {"planning", "resource \"fickle_thing\" \"a\" { name = \"a\" }\n", "plan a", Deferral::AbsentPrereq, "",
       "fickle_thing.a create absent_prereq\n"},
      {"planning, with a dependent and a bystander",
       "resource \"fickle_thing\" \"a\" { name = \"a\" }\nresource \"fickle_thing\" \"b\" {\n name = \"b\"\n "
       "needs = "
       "fickle_thing.a.id\n}\nresource \"fickle_thing\" \"c\" { name = \"c\" }\n",
       "plan a", Deferral::ResourceConfigUnknown, "fickle_thing.c create\n",
       "fickle_thing.a create resource_config_unknown\nfickle_thing.b create deferred_prereq\n"},
      {"reading a data source",
       "data \"fickle_data\" \"d\" { name = \"d\" }\nresource \"terraform_data\" \"r\" { input = "
       "data.fickle_data.d.value "
       "}\n",
       "data d", Deferral::AbsentPrereq, "",
       "data.fickle_data.d read absent_prereq\nterraform_data.r create deferred_prereq\n"},
      {"importing",
       "import {\n to = fickle_thing.a\n id = \"x\"\n}\nresource \"fickle_thing\" \"a\" { name = \"a\" }\n",
       "import x", Deferral::ProviderConfigUnknown, "", "fickle_thing.a create provider_config_unknown\n"},
      {"opening what a provider's configuration needs",
       "ephemeral \"fickle_secret\" \"s\" { name = \"s\" }\nprovider \"fickle\" {\n alias = \"b\"\n url = "
       "ephemeral.fickle_secret.s.value\n}\nresource \"fickle_thing\" \"a\" {\n provider = fickle.b\n name = "
       "\"a\"\n}\n",
       "open s", Deferral::AbsentPrereq, "", "fickle_thing.a create deferred_prereq\n"},
  };
  for (const Row& row : rows) {
    INFO(row.about);
    FickleWorld w(row.config);
    w.script.deferrals[row.call] = row.why;
    Plan p = w.partial();
    INFO(w.problems());
    CHECK_FALSE(w.diags.has_errors());
    CHECK(w.script.told);
    CHECK(actions(p) == row.does);
    CHECK(deferred(p) == row.puts_off);
    CHECK_FALSE(p.complete);
    CHECK(p.applyable == (*row.does != '\0'));
    w.apply(p);
    INFO(w.problems());
    CHECK_FALSE(w.diags.has_errors());
    for (const DeferredChange& d : p.deferred) CHECK(!w.state.find(d.change.addr));
    w.script.deferrals.clear();
    Plan rest = w.partial();
    CHECK(rest.deferred.empty());
    CHECK(rest.complete);
    w.apply(rest);
    CHECK_FALSE(w.plan().applyable);
    CHECK_FALSE(w.diags.has_errors());

    FickleWorld strict(row.config);
    strict.script.deferrals[row.call] = row.why;
    strict.plan();
    REQUIRE(strict.diags.error_count() == 1);
    CHECK(strict.problems().find("error: Provider deferred changes: Provider \"example.com/test/fickle\"") ==
          0);
  }
}

TEST_CASE(
    "deferral: objects that exist are kept when their provider defers reading, changing or destroying "
    "them") {
  const std::string both =
      "resource \"fickle_thing\" \"a\" { name = \"a\" }\nresource \"fickle_thing\" \"b\" {\n name = \"b\"\n "
      "needs = "
      "fickle_thing.a.id\n}\noutput \"name\" { value = fickle_thing.a.name }\n";
  FickleWorld w(both);
  w.apply(w.plan());
  REQUIRE_FALSE(w.diags.has_errors());

  w.script.deferrals["read a"] = Deferral::AbsentPrereq;
  Plan p = w.partial();
  CHECK(actions(p) == "fickle_thing.b no-op\n");
  CHECK(deferred(p) == "fickle_thing.a no-op absent_prereq\n");
  CHECK_FALSE(p.applyable);

  w.script.deferrals.clear();
  w.fs.files["main.tf"].replace(w.fs.files["main.tf"].find("name = \"a\""), 10, "name = \"A\"");
  w.script.deferrals["plan A"] = Deferral::AbsentPrereq;
  p = w.partial();
  CHECK(deferred(p) == "fickle_thing.a update absent_prereq\n");
  w.apply(p);
  CHECK_FALSE(w.called("apply A"));
  CHECK(w.state.outputs.at(Symbol("name")).value.as_string() == "a");

  // b is to go, but its provider puts that off: a, which b was made from, has to wait.
  w.script.deferrals["plan b"] = Deferral::AbsentPrereq;
  w.fs.files["main.tf"] = std::string(kHead) + "resource \"fickle_thing\" \"c\" { name = \"c\" }\n";
  p = w.partial();
  INFO(w.problems());
  CHECK(actions(p) == "fickle_thing.c create\n");
  CHECK(deferred(p) == "fickle_thing.a delete deferred_prereq\nfickle_thing.b delete absent_prereq\n");
  w.apply(p);
  CHECK_FALSE(w.called("destroy a"));
  PlanOptions destroy;
  destroy.mode = PlanMode::Destroy;
  p = w.partial(destroy);
  CHECK(actions(p) == "fickle_thing.c delete\n");
  w.script.deferrals.clear();
  p = w.partial(destroy);
  CHECK(p.deferred.empty());
  w.apply(p);
  CHECK(w.state.resources.empty());
  CHECK_FALSE(w.diags.has_errors());
}

TEST_CASE("deferral: a provider whose configuration is not known yet is not asked") {
  FickleWorld w(
      "resource \"terraform_data\" \"url\" { input = \"http://x\" }\nprovider \"fickle\" { url = "
      "terraform_data.url.output }\nresource \"fickle_thing\" \"a\" { name = \"a\" }\ndata \"fickle_data\" "
      "\"d\" { name = "
      "\"d\" }\noutput \"id\" { value = fickle_thing.a.id }\n");
  Plan p = w.partial();
  INFO(w.problems());
  CHECK(actions(p) == "terraform_data.url create\n");
  CHECK(deferred(p) ==
        "data.fickle_data.d read provider_config_unknown\nfickle_thing.a create provider_config_unknown\n");
  CHECK(w.script.calls.empty());
  w.apply(p);
  CHECK(w.script.calls == std::set<std::string>{"configure http://x"});
  CHECK_FALSE(w.diags.has_errors());
  w.apply(w.partial());
  CHECK(w.state.outputs.contains(Symbol("id")));

  // Its objects are kept, and not even read, while it has to wait again.
  w.script.calls.clear();
  std::string& config = w.fs.files["main.tf"];
  config.replace(config.find("http://x"), 8, "http://y");
  p = w.partial();
  CHECK(actions(p) == "terraform_data.url update\n");
  CHECK(deferred(p) ==
        "data.fickle_data.d read provider_config_unknown\nfickle_thing.a no-op provider_config_unknown\n");
  CHECK(w.script.calls.empty());
  w.apply(p);
  CHECK(w.state.outputs.contains(Symbol("id")));
  config.erase(config.find("resource \"fickle_thing\""));
  config.replace(config.find("http://y"), 8, "http://z");
  p = w.partial();
  CHECK(deferred(p) == "fickle_thing.a delete provider_config_unknown\n");
  CHECK_FALSE(w.diags.has_errors());
}

TEST_CASE("deferral: imports whose ids are not known yet create nothing") {
  FickleWorld w(
      "resource \"terraform_data\" \"id\" { input = \"x\" }\nimport {\n to = fickle_thing.a\n id = "
      "terraform_data.id.output\n}\nimport {\n for_each = terraform_data.id.output == \"x\" ? { k = \"y\" } "
      ": {}\n to = "
      "fickle_thing.b[each.key]\n id = each.value\n}\nresource \"fickle_thing\" \"a\" { name = \"a\" "
      "}\nresource "
      "\"fickle_thing\" \"b\" {\n for_each = toset([\"k\"])\n name = \"b\"\n}\n");
  Plan p = w.partial();
  INFO(w.problems());
  CHECK(actions(p) == "terraform_data.id create\n");
  CHECK(deferred(p) ==
        "fickle_thing.a create resource_config_unknown\nfickle_thing.b[\"k\"] create "
        "resource_config_unknown\n");
  w.apply(p);
  p = w.partial();
  INFO(w.problems());
  CHECK(p.deferred.empty());
  CHECK(p.counts().import == 2);
  CHECK_FALSE(w.called("apply a"));
  CHECK_FALSE(w.diags.has_errors());
}

TEST_CASE("deferral: a plan with nothing to defer is unchanged") {
  TestWorld w(
      "resource \"terraform_data\" \"a\" {\n count = 2\n}\noutput \"n\" { value = length(terraform_data.a) "
      "}\n");
  PlanOptions o;
  o.deferral_allowed = true;
  Plan p = w.plan(o);
  CHECK(p.complete);
  CHECK(p.deferred.empty());
  CHECK(actions(p) == "terraform_data.a[0] create\nterraform_data.a[1] create\n");
}

TEST_CASE("hooks: whatever begins to be read also ends, one way or the other") {
  struct Heard : Hooks {
    std::mutex lock;
    std::string said;
    void note(const char* what, const AbsInstance& a) {
      std::lock_guard guard(lock);
      said += what + a.text() + "\n";
    }
    void read_start(const AbsInstance& a) override { note("start ", a); }
    void read_done(const AbsInstance& a, const ObjectId&, double) override { note("done ", a); }
    void read_ended(const AbsInstance& a) override { note("failed ", a); }
  };
  const std::string d = "data.fickle_data.d";
  for (const auto& [how, ends] :
       {std::pair("read", "done "), {"fails", "failed "}, {"deferred", "failed "}}) {
    FickleWorld w("data \"fickle_data\" \"d\" { name = \"d\" }\n");
    if (how == std::string("fails")) w.script.failing.insert("data d");
    if (how == std::string("deferred")) w.script.deferrals["data d"] = Deferral::AbsentPrereq;
    Heard heard;
    PlanOptions o;
    o.hooks = &heard;
    w.partial(o);
    CHECK(heard.said == "start " + d + "\n" + ends + d + "\n");
  }
}
