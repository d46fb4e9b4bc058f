// A chain of changes whose journal is far away: each link waits for one write, which has the result of the
// one before it as well as its own intent, and nothing is told to be done before it is durable.
#include <algorithm>
#include <catch2/catch.hpp>
#include <climits>
#include <functional>
#include <mutex>
#include <thread>

#include "core/state/journal.h"
#include "tests/support/fickle_provider.h"
#include "tests/support/test_world.h"

using namespace xplan;
using namespace xplan::test;
using RecordKind = JournalRecord::Kind;

namespace {

constexpr int kLinks = 8;

// What is durable, and how often something became so; from the sync `failing` on, nothing does.
struct Disk {
  std::mutex lock;
  std::string text;
  int syncs = 0, failing = INT_MAX;
  std::function<void(std::string_view)> before = [](std::string_view) {};
  bool has(RecordKind kind, const std::string& address) {
    std::lock_guard guard(lock);
    const auto j = read_journal(std::make_shared<const std::string>(text));
    return j && std::ranges::any_of(j->records, [&](const JournalRecord& r) {
             return r.kind == kind && r.addr.text() == address;
           });
  }
};

class FarMedium : public JournalMedium {
 public:
  explicit FarMedium(Disk& d) : disk_(d) {}
  int write(std::string_view line) override { return lines_ += line, 0; }
  Cut cut() override { return {0, std::exchange(lines_, {})}; }
  int sync(const Cut& cut) override {
    disk_.before(cut.bytes);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    std::lock_guard guard(disk_.lock);
    if (++disk_.syncs >= disk_.failing) return 1;
    disk_.text += cut.bytes;
    return 0;
  }
  Error problem(int) const override { return Error{"the server is gone"}; }

 private:
  Disk& disk_;
  std::string lines_;
};

std::string address(int link) {
  return "fickle_thing.a" + std::to_string(link);
}

// Looks, before it makes or destroys a link, that the journal says so and has the one that it depends on.
struct Watching : FickleProvider {
  Watching(FickleScript& s, Disk& d) : FickleProvider(s), disk(d) {}
  ApplyResponse apply(const ApplyRequest& r) override {
    const bool destroys = r.planned.is_null();
    const int link = std::stoi(std::string((destroys ? r.prior : r.config).find_attr("name")->as_string()));
    const int before = destroys ? link + 1 : link - 1;
    if (!disk.has(RecordKind::Intent, address(link))) ++early;
    if (before >= 0 && before < kLinks &&
        !disk.has(destroys ? RecordKind::Remove : RecordKind::Result, address(before)))
      ++early;
    return FickleProvider::apply(r);
  }
  Disk& disk;
  static inline std::atomic<int> early = 0;
};

struct Factory : ProviderFactory {
  explicit Factory(Disk& d) : disk(d) {}
  std::shared_ptr<Provider> start(const ProviderAddr& p, Diagnostics& diags) override {
    if (p.type.sv() == "fickle") return std::make_shared<Watching>(script, disk);
    return builtin->start(p, diags);
  }
  FickleScript script;
  Disk& disk;
  std::unique_ptr<ProviderFactory> builtin = make_builtin_factory();
};

// "+a0 a0! +a1 a1!": begun, done.
struct Heard : Hooks {
  explicit Heard(Disk& d) : disk(d) {}
  void apply_start(const AbsInstance& a, std::string_view, Action, const ObjectId&) override {
    add("+" + a.text().substr(13));
  }
  void apply_done(const AbsInstance& a, std::string_view, Action action, const ObjectId&, double) override {
    add(a.text().substr(13) + "!");
    early += !disk.has(action == Action::Delete ? RecordKind::Remove : RecordKind::Result, a.text());
  }
  void add(const std::string& what) {
    std::lock_guard guard(lock);
    told += (told.empty() ? "" : " ") + what;
  }
  Disk& disk;
  std::mutex lock;
  std::string told;
  std::atomic<int> early = 0;
};

std::string chain() {
  std::string out =
      "terraform {\n required_providers {\n  fickle = { source = \"example.com/test/fickle\" }\n }\n}\n";
  for (int i = 0; i < kLinks; ++i)
    out += "resource \"fickle_thing\" \"a" + std::to_string(i) + "\" {\n name = \"" + std::to_string(i) +
           "\"\n" + (i ? " needs = " + address(i - 1) + ".id\n" : "") + "}\n";
  return out;
}

struct Types : TypeSource {
  std::optional<Type> type_of(const ProviderAddr&, Mode, Symbol) const override {
    const Type text = Type::string();
    return Type::object({{Symbol("id"), text}, {Symbol("name"), text}, {Symbol("needs"), text}});
  }
};

struct Far {
  explicit Far(TestWorld& world, int parallelism) : w(world), heard(disk) {
    options.now = "2026-01-02T03:04:05Z";
    options.parallelism = parallelism;
    options.hooks = &heard;
  }
  ApplyOutcome apply(const Plan& p) {
    options.variables = w.values;
    auto journal = JournalWriter::begin(std::make_unique<FarMedium>(disk), "far", {"lineage", 1}, types);
    REQUIRE(journal);
    options.journal = journal->get();
    ApplyOutcome out = apply_plan(*w.config, p, options, *w.factory, w.diags);
    (*journal)->close();
    return out;
  }
  TestWorld& w;
  Disk disk;
  Heard heard;
  ApplyOptions options;
  Types types;
};

}  // namespace

TEST_CASE("chain: each link waits for one write, and nothing is told or begun before it is there") {
  const int parallelism = GENERATE(1, 4);
  INFO(parallelism);
  Watching::early = 0;
  TestWorld w(chain());
  Disk* disk = nullptr;
  w.make_factory = [&] {
    static Disk none;
    return std::make_unique<Factory>(disk ? *disk : none);
  };
  for (const bool destroys : {false, true}) {
    Far far(w, parallelism);
    disk = &far.disk;
    PlanOptions o;
    if (destroys) o.mode = PlanMode::Destroy;
    const Plan p = w.plan(o);
    REQUIRE(w.problems() == "");
    const ApplyOutcome out = far.apply(p);
    CHECK(w.problems() == "");
    CHECK(out.added + out.destroyed == kLinks);
    CHECK(Watching::early == 0);
    CHECK(far.heard.early == 0);
    std::string order;
    for (int i = 0; i < kLinks; ++i) {
      const std::string link = "a" + std::to_string(destroys ? kLinks - 1 - i : i);
      order += (order.empty() ? "" : " ") + ("+" + link + " " + link + "!");
    }
    CHECK(far.heard.told == order);
    CHECK(far.disk.syncs <= 1 + kLinks + 1 + 2);  // the beginning and the last result; a slow machine
    w.state = out.state;
  }
}

TEST_CASE("chain: a result that cannot be recorded is an error, also where nothing comes after it") {
  // The beginning and the intents are there, but not the result of the last link.
  Watching::early = 0;
  TestWorld w(
      "terraform {\n required_providers {\n  fickle = { source = \"example.com/test/fickle\" }\n }\n}\n"
      "resource \"fickle_thing\" \"a0\" {\n name = \"0\"\n}\n");
  Far far(w, 4);
  far.disk.failing = 3;
  w.make_factory = [&] { return std::make_unique<Factory>(far.disk); };
  const Plan p = w.plan();
  const ApplyOutcome out = far.apply(p);
  CHECK(w.problems().starts_with("error: Failed to write the journal"));
  CHECK(out.added == 1);
  CHECK(out.state.resources.size() == 1);
  CHECK(far.heard.told == "+a0 a0!");
}

namespace {

constexpr const char* kFickle =
    "terraform {\n required_providers {\n  fickle = { source = \"example.com/test/fickle\" }\n }\n}\n";

// Provider `P` of both tests below, which shares its `S` with the test.
template <class P, class S>
struct SharingFactory : FickleFactory {
  SharingFactory(FickleScript& f, S& s) : FickleFactory(f), script(f), shared(s) {}
  std::shared_ptr<Provider> start(const ProviderAddr&, Diagnostics&) override {
    return std::make_shared<P>(script, shared);
  }
  FickleScript& script;
  S& shared;
};

struct Interrupt {
  bool armed = false;
  std::atomic<bool> stop = false;
};
struct Interrupted : FickleProvider {
  Interrupted(FickleScript& s, Interrupt& i) : FickleProvider(s), interrupt(i) {}
  PlanResponse plan(const PlanRequest& r) override {
    if (interrupt.armed) interrupt.stop = true;
    return FickleProvider::plan(r);
  }
  Interrupt& interrupt;
};

// Until it is so, for a while.
bool comes(const std::atomic<bool>& what) {
  for (int n = 0; n < 500 && !what; ++n) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  return what;
}

struct Lines : Hooks {
  void provision_output(const AbsInstance&, std::string_view, std::string_view line) override {
    if (line == "one") one = true;
    if (line == "two") two = true;
  }
  std::atomic<bool> one = false, two = false;
};
struct Patient : FickleProvider {
  Patient(FickleScript& s, Lines& l) : FickleProvider(s), lines(l) {}
  ApplyResponse apply(const ApplyRequest& r) override {
    if (r.config.find_attr("name")->as_string() == "a0") (void)comes(lines.one);
    return FickleProvider::apply(r);
  }
  Lines& lines;
};

}  // namespace

TEST_CASE("chain: after an interrupt, no object is deposed for a successor that is not made") {
  TestWorld w(std::string(kFickle) +
              "resource \"fickle_thing\" \"a0\" {\n name = \"0\"\n lifecycle {\n  create_before_destroy = "
              "true\n }\n}\n");
  FickleScript script;
  Interrupt interrupt;
  w.make_factory = [&] {
    return std::make_unique<SharingFactory<Interrupted, Interrupt>>(script, interrupt);
  };
  {
    Far far(w, 4);
    w.state = far.apply(w.plan()).state;
  }
  PlanOptions o;
  o.force_replace = {parse_abs_instance(address(0)).value()};
  const Plan p = w.plan(o);
  REQUIRE(w.problems() == "");
  interrupt.armed = true;
  Far far(w, 4);
  far.options.stop = &interrupt.stop;
  const ApplyOutcome out = far.apply(p);
  CHECK(interrupt.stop);
  CHECK(out.added + out.destroyed == 0);
  for (const RecordKind kind : {RecordKind::Depose, RecordKind::Intent, RecordKind::Restore})
    CHECK_FALSE(far.disk.has(kind, address(0)));
}

TEST_CASE("chain: what a provisioner prints is told while a server has yet to record something else") {
  TestWorld w(std::string(kFickle) +
              "resource \"fickle_thing\" \"a0\" {\n name = \"a0\"\n}\n"
              "resource \"fickle_thing\" \"b\" {\n name = \"b\"\n provisioner \"local-exec\" {\n  command = "
              "\"echo one; sleep 0.5; echo two\"\n }\n}\n");
  FickleScript script;
  Lines lines;
  w.make_factory = [&] { return std::make_unique<SharingFactory<Patient, Lines>>(script, lines); };
  Far far(w, 4);
  far.options.hooks = &lines;
  std::atomic<bool> told = false;
  far.disk.before = [&](std::string_view records) {  // the first with the result of a0
    if (lines.one && !told && records.find("\"a0\"") != records.npos) told = comes(lines.two);
  };
  const Plan p = w.plan();
  REQUIRE(w.problems() == "");
  CHECK(far.apply(p).added == 2);
  CHECK(told);
}
