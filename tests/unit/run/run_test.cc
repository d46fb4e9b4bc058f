// Runs from files to the state and back: the order of their steps, whom they ask, what they leave behind, and
// what each kind of obstacle ends them with.
#include "core/run/run.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <functional>
#include <new>
#include <stdexcept>

#include "core/state/left_journal.h"
#include "tests/support/fickle_provider.h"
#include "tests/support/folder.h"

using namespace xplan;

namespace {

class TestFrontEnd : public run::FrontEnd {
 public:
  std::map<std::string, std::string> answers;
  std::vector<std::string> heard;  // in order
  std::string refuse;              // the variable at which asking goes wrong
  std::optional<std::string> ask(const config::Variable& v, Diagnostics& diags) override {
    heard.push_back("ask " + std::string(v.name.sv()));
    if (v.name.sv() == refuse) diags.error("Input interrupted", "The test wants it.");
    auto it = answers.find(std::string(v.name.sv()));
    return it == answers.end() ? std::nullopt : std::optional(it->second);
  }
  std::shared_ptr<Hooks> begin(run::Step step) override {
    heard.push_back(step == run::Step::Planning ? "begin planning" : "begin applying");
    struct Listening : Hooks {
      explicit Listening(TestFrontEnd& f) : front(f) {}
      ~Listening() override { front.heard.push_back("end"); }
      TestFrontEnd& front;
    };
    return std::make_shared<Listening>(*this);
  }
};

using Made = std::function<void(const std::string& name)>;  // hears of each object that was made

struct MakingFactory : ProviderFactory {
  MakingFactory(test::FickleScript& s, const Made& m) : script(s), made(m) {}
  std::shared_ptr<Provider> start(const ProviderAddr& p, Diagnostics& diags) override {
    struct Making : test::FickleProvider {
      Making(test::FickleScript& s, const Made& m) : FickleProvider(s), made(m) {}
      ApplyResponse apply(const ApplyRequest& r) override {
        ApplyResponse out = FickleProvider::apply(r);
        if (made && !r.config.is_null()) made(std::string(r.config.attr("name").as_string()));
        return out;
      }
      const Made& made;
    };
    if (p.type.sv() == "fickle") return std::make_shared<Making>(script, made);
    return builtin->start(p, diags);
  }
  test::FickleScript& script;
  const Made& made;
  std::unique_ptr<ProviderFactory> builtin = make_builtin_factory();
};

// Files in memory, a state in a directory of its own, a provider that does as it is told.
struct Place {
  test::Folder folder;
  Made made;
  MemoryFs files;
  SourceTable sources;
  test::FickleScript script;
  std::unique_ptr<ProviderFactory> factory = std::make_unique<MakingFactory>(script, made);
  ProviderSchemas schemas{*factory};
  TestFrontEnd front;
  Diagnostics diags;
  std::atomic<bool> stop = false;

  explicit Place(std::string main_tf) {
    files.files["main.tf"] =
        "terraform {\n required_providers {\n  fickle = { source = \"test/fickle\" }\n }\n}\n" +
        std::move(main_tf);
  }
  run::Context context() {
    return {.files = files,
            .sources = sources,
            .providers = *factory,
            .schemas = schemas,
            .cwd = folder.path,
            .data_dir = folder / ".terraform",
            .stop = &stop};
  }
  run::PlanRequest request() {
    run::PlanRequest r;
    r.state.state = folder / "terraform.tfstate";
    return r;
  }
  std::optional<run::Planned> plan(run::PlanRequest r) {
    return run::plan(context(), std::move(r), front, diags);
  }
  std::optional<run::Planned> plan() { return plan(request()); }
  std::optional<run::Applied> apply(run::Planned& p) {
    auto out = run::apply(context(), *p.config, p.plan, p.variables, p.state, {4}, front, diags);
    run::unlock_state(*p.state.store, front, diags);
    return out;
  }
  std::string problems() const {
    std::string s;
    for (const Diagnostic& d : diags.all()) s += d.summary + "\n";
    return s;
  }
};

constexpr const char* kTwo = R"(
resource "fickle_thing" "a" { name = "a" }
resource "fickle_thing" "b" { name = fickle_thing.a.id }
output "b" { value = fickle_thing.b.name }
)";

}  // namespace

TEST_CASE("a run: what is applied needs no change, and hooks live as long as their step") {
  Place p(kTwo);
  auto first = p.plan();
  REQUIRE(first);
  CHECK(first->plan.counts().add == 2);
  auto applied = p.apply(*first);
  REQUIRE(applied);
  CHECK(applied->outcome.added == 2);
  CHECK(applied->unsaved.empty());
  CHECK(p.problems() == "");
  auto second = p.plan();
  REQUIRE(second);
  CHECK_FALSE(second->plan.applyable);
  CHECK(second->state.state.outputs.at(Symbol("b")).value.as_string() == "id");
  CHECK(p.front.heard ==
        std::vector<std::string>{"begin planning", "end", "begin applying", "end", "begin planning", "end"});
}

TEST_CASE("a run: the lock is held until it is given back") {
  Place p(kTwo);
  {
    auto planned = p.plan();
    REQUIRE(planned);
    Place other(kTwo);
    run::PlanRequest r = other.request();
    r.state.state = p.folder / "terraform.tfstate";
    CHECK_FALSE(other.plan(r));
    CHECK(other.problems() == "Error acquiring the state lock\n");
    CHECK(other.script.calls.empty());
  }
  CHECK(p.plan());  // it went with its owner
}

TEST_CASE("a run: who is asked for missing variables") {
  const char* kConfig = R"(
variable "zeta" { type = string }
variable "alpha" { type = list(string) }
variable "set" { default = "x" }
output "all" { value = [var.zeta, var.alpha, var.set] }
)";
  struct Row {
    const char* name;
    bool ask;
    std::map<std::string, std::string> answers;
    const char* refuse;
    const char* problems;
    std::vector<std::string> heard;
  };
  const Row rows[] = {
      {"answered, in the order of names",
       true,
       {{"zeta", "z"}, {"alpha", "[\"a\"]"}},
       "",
       "",
       {"ask alpha", "ask zeta", "begin planning", "end"}},
      {"nobody answers any more",
       true,
       {{"alpha", "[]"}},
       "",
       "No value for required variable\n",
       {"ask alpha", "ask zeta"}},
      {"interrupted: nothing more is asked or said", true, {}, "alpha", "Input interrupted\n", {"ask alpha"}},
      {"nobody to ask",
       false,
       {},
       "",
       "No value for required variable\nNo value for required variable\n",
       {}},
  };
  for (const Row& row : rows) {
    INFO(row.name);
    Place p(kConfig);
    p.front.answers = row.answers;
    p.front.refuse = row.refuse;
    run::PlanRequest r = p.request();
    r.inputs.ask = row.ask;
    auto planned = p.plan(r);
    CHECK(planned.has_value() == (std::string(row.problems).empty()));
    CHECK(p.problems() == row.problems);
    CHECK(p.front.heard == row.heard);
  }
}

TEST_CASE("a run: nothing is looked at when something is wrong before") {
  struct Row {
    const char* name;
    std::function<void(Place&, run::PlanRequest&)> spoil;
    const char* problems;
  };
  const Row rows[] = {
      {"a configuration with errors", [](Place& p, auto&) { p.files.files["x.tf"] = "locals {"; },
       "Unclosed block\n"},
      {"no configuration at all", [](Place& p, auto&) { p.files.files.clear(); }, "No configuration files\n"},
      {"validation", [](Place& p, auto&) { p.files.files["x.tf"] = "output \"o\" { value = 1 + [] }"; },
       "Unsuitable operand\n"},
      {"a timeout that is none", [](Place&, auto& r) { r.state.lock_timeout = "soon"; },
       "Invalid lock timeout\n"},
      {"a workspace that has no valid name", nullptr, "Invalid workspace name\n"},
      {"a backend that nobody knows",
       [](Place& p, auto&) { p.files.files["x.tf"] = "terraform {\n  backend \"locl\" {}\n}\n"; },
       "Unsupported backend type\n"},
      {"a backend that is not initialized",
       [](Place& p, auto&) { p.files.files["x.tf"] = "terraform {\n  backend \"local\" {}\n}\n"; },
       "Backend initialization required\n"},
      {"a backend that is not initialized, before what else is wrong",
       [](Place& p, auto&) {
         p.files.files["x.tf"] =
             "terraform {\n  backend \"local\" {}\n}\noutput \"o\" { value = var.nope }\n";
       },
       "Backend initialization required\nUndeclared input variable\n"},
      {"a file where generated configuration should go",
       [](Place& p, auto& r) { p.files.files["made.tf"] = "", r.generate_config_out = "made.tf"; },
       "Target generated file already exists\n"},
  };
  for (const Row& row : rows) {
    INFO(row.name);
    Place p(kTwo);
    run::PlanRequest r = p.request();
    if (row.spoil) row.spoil(p, r);
    run::Context c = p.context();
    if (!row.spoil) c.workspace = "../up";
    CHECK_FALSE(run::plan(c, std::move(r), p.front, p.diags));
    CHECK(p.problems() == row.problems);
    CHECK(p.script.calls.empty());
    CHECK_FALSE(std::filesystem::exists(p.folder / "terraform.tfstate"));
  }
}

TEST_CASE("a run: an apply that is stopped keeps what was done and names the rest") {
  Place p(kTwo);
  auto planned = p.plan();
  REQUIRE(planned);
  p.stop = true;
  auto applied = p.apply(*planned);
  REQUIRE(applied);
  CHECK(applied->outcome.added == 0);
  CHECK(p.problems().find("Planned changes were not applied") != std::string::npos);
  p.stop = false;
  p.diags.clear();
  auto again = p.plan();
  REQUIRE(again);
  CHECK(again->plan.counts().add == 2);
}

TEST_CASE("a run: what was being made when a run ended early is named, by the next run as well") {
  struct Row {
    const char* name;
    std::function<void()> end;
    const char* problem;
  };
  const Row rows[] = {
      {"by the end of memory", [] { throw std::bad_alloc(); }, "Out of memory\n"},
      {"by anything else", [] { throw std::runtime_error("no more"); }, "Apply ended early\n"},
  };
  for (const Row& row : rows)
    for (const char* before : {"", R"(resource "fickle_thing" "z" { name = "z" })"}) {
      INFO(row.name << before);
      Place p(R"(
resource "fickle_thing" "a" {
  count = 3
  name  = "a${count.index}"
}
resource "fickle_thing" "b" { name = fickle_thing.a[0].id }
)" + std::string(before));
      auto planned = p.plan();
      REQUIRE(planned);
      p.made = [&](const std::string& name) {
        if (name == "a0") row.end();
      };
      auto applied = p.apply(*planned);
      REQUIRE(applied);
      const State& state = applied->outcome.state;
      planned.reset();
      CHECK(p.problems() == std::string(row.problem) + "Planned changes were not applied\n");
      CHECK(p.diags.all()[0].detail.find("The creation of fickle_thing.a[0] may have begun") !=
            std::string::npos);
      CHECK(state.find(*parse_abs_instance("fickle_thing.a[0]")) == nullptr);
      p.made = nullptr;
      for (int run = 0; run < 2; ++run) {  // until the state is written
        p.diags.clear();
        auto next = p.plan();
        REQUIRE(next);
        CHECK(p.problems() == "Interrupted run\nOutcome of changes is unknown\n");
        CHECK(p.diags.all()[1].detail.find("fickle_thing.a[0]") != std::string::npos);
        if (run == 0) continue;
        CHECK(p.apply(*next));
      }
      p.diags.clear();
      CHECK(p.plan());
      CHECK(p.problems() == "");
    }
}

TEST_CASE("a run: an object that is finished in the state had its provisioners") {
  Place p(R"(
resource "fickle_thing" "a" {
  name = "a"
  provisioner "local-exec" { command = "true" }
}
)");
  auto planned = p.plan();
  REQUIRE(planned);
  struct Ending : Journal {  // at the second record
    explicit Ending(Journal& j) : real(j) {}
    Result<void> append(const JournalRecord& r) override {
      if (r.kind == JournalRecord::Kind::Result) throw std::bad_alloc();
      return real.append(r);
    }
    Journal& real;
  };
  auto journal = planned->state.store->start_journal(p.schemas);
  REQUIRE(journal);
  Ending ending(**journal);
  ApplyOptions o;
  o.journal = &ending;
  const ApplyOutcome out = apply_plan(*planned->config, planned->plan, o, *p.factory, p.diags);
  const InstanceState* a = out.state.find(*parse_abs_instance("fickle_thing.a"));
  REQUIRE((a && a->current));
  CHECK(a->current->status == ObjectStatus::Tainted);
  CHECK(p.problems() == "Out of memory\n");
}

TEST_CASE("a run: generated configuration counts wherever it is written, and who will not read it is told") {
  struct Row {
    const char* path;
    const char* why;  // null: nothing is told
  };
  for (const Row& row : {Row{"made.tf", nullptr}, Row{"other/made.tf", "not in the directory"},
                         Row{"made.txt", "does not end"}, Row{"made_override.tf", "an override file"},
                         Row{"override.tf", "an override file"}}) {
    INFO(row.path);
    Place p("import {\n to = fickle_thing.a\n id = \"x\"\n}\n");
    const auto before = std::filesystem::current_path();
    std::filesystem::create_directory(p.folder / "other");
    std::filesystem::current_path(p.folder.path);
    run::PlanRequest r = p.request();
    r.generate_config_out = row.path;
    auto planned = p.plan(r);
    std::filesystem::current_path(before);
    INFO(p.problems());
    REQUIRE(planned);
    CHECK(planned->plan.counts().import == 1);
    CHECK(std::filesystem::exists(p.folder / row.path));
    const auto& all = p.diags.all();
    CHECK(std::any_of(all.begin(), all.end(), [&](const Diagnostic& d) {
            return d.summary == "Generated configuration is not part of the root module" &&
                   d.detail.find(row.why ? row.why : "") != std::string::npos;
          }) == (row.why != nullptr));
  }
}

TEST_CASE("a run: a state that can be written nowhere is given back") {
  Place p(kTwo);
  auto planned = p.plan();
  REQUIRE(planned);
  class Unwritable : public StateStore {  // the real one, but for writing
   public:
    explicit Unwritable(std::unique_ptr<StateStore> s) : real(std::move(s)) {}
    Result<void> lock(const std::string& o, int64_t t, const std::atomic<bool>* s) override {
      return real->lock(o, t, s);
    }
    Result<void> unlock() override { return real->unlock(); }
    bool locked_elsewhere() const override { return real->locked_elsewhere(); }
    Result<void> break_lock(const std::string& id) override { return real->break_lock(id); }
    Result<State> read(Diagnostics& d) override { return real->read(d); }
    Result<void> write(State&, const TypeSource&) override { return Error{"the disk is full"}; }
    Result<void> replace(State&, const TypeSource&) override { return Error{"the disk is full"}; }
    Result<std::unique_ptr<Journal>> start_journal(const TypeSource& t) override {
      return real->start_journal(t);
    }
    std::string path() const override { return real->path(); }
    bool exists() const override { return real->exists(); }
    std::string_view unsaved() const override { return "{the state}"; }
    const std::vector<AbsInstance>& folded_tainted() const override { return real->folded_tainted(); }
    Result<std::unique_ptr<LeftJournal>> left_journal() override { return real->left_journal(); }
    Result<void> discard_journal(const std::string& copy) override { return real->discard_journal(copy); }
    std::unique_ptr<StateStore> real;
  };
  planned->state.store = std::make_unique<Unwritable>(std::move(planned->state.store));
  auto applied = p.apply(*planned);
  REQUIRE(applied);
  CHECK(applied->outcome.added == 2);
  CHECK(applied->unsaved == "{the state}");
  CHECK(p.problems() == "Failed to save state\n");
  planned.reset();  // the journal stays for the next run
  p.diags.clear();
  auto next = p.plan();
  REQUIRE(next);
  CHECK(next->plan.counts().add == 0);
}

TEST_CASE("a run: variables of a saved plan") {
  const char* kConfig = R"(
variable "kept" { default = "d" }
variable "token" {
  type = string
  ephemeral = true
  default = null
}
output "kept" { value = var.kept }
)";
  struct Row {
    const char* name;
    std::vector<config::VariableOption> planned, applied;
    const char* problems;
  };
  const Row rows[] = {
      {"the same", {{false, "kept=a"}}, {{false, "kept=a"}}, ""},
      {"not given again", {{false, "kept=a"}}, {}, ""},
      {"another one",
       {{false, "kept=a"}},
       {{false, "kept=b"}},
       "Can't change variable when applying a saved plan\n"},
      {"an ephemeral one is missing", {{false, "token=t"}}, {}, "No value for required variable\n"},
      {"an ephemeral one, given again", {{false, "token=t"}}, {{false, "token=u"}}, ""},
      {"an ephemeral one, given only now",
       {},
       {{false, "token=u"}},
       "Ephemeral variable not set when planning\n"},
  };
  for (const Row& row : rows) {
    INFO(row.name);
    Place p(kConfig);
    run::PlanRequest r = p.request();
    r.inputs.options = row.planned;
    auto planned = p.plan(r);
    REQUIRE(planned);
    run::InputRequest now;
    now.options = row.applied;
    run::saved_plan_inputs(p.context(), *planned->config->root->module, planned->plan, now, p.diags);
    CHECK(p.problems() == row.problems);
  }
}
