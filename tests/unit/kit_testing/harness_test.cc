// The harness on a provider with a remote system of its own: every kind of step, and what a wrong expectation
// says.
#include <catch2/catch.hpp>
#include <mutex>

#include "core/provider/kit/kit.h"
#include "core/provider/kit/testing/harness.h"

using namespace xplan;
using kit::testing::run_steps;

namespace {

struct Remote {
  std::mutex lock;
  std::map<std::string, int64_t> sizes;  // by name
};
struct Disk {
  std::string name;
  int64_t size = 0;
  kit::Attr<std::string> id;
  static kit::Fields<Disk> fields() {
    return {{{"name", &Disk::name, kit::required().modify(kit::requires_replace())},
             {"size", &Disk::size, kit::required().validate(kit::number_at_least(1))},
             {"id", &Disk::id, kit::computed().modify(kit::use_state_for_unknown())}}};
  }
};
class Disks : public kit::ResourceOf<Disk> {
 public:
  explicit Disks(Remote& remote) : remote_(remote) {}
  void create(Disk& d, kit::Call&) override {
    std::lock_guard held(remote_.lock);
    if (d.size > 100) throw std::runtime_error("out of disks");
    remote_.sizes[d.name] = d.size;
    d.id = "disk/" + d.name;
  }
  void read(Disk& d, kit::Call& call) override {
    std::lock_guard held(remote_.lock);
    if (d.id.has_value() && d.name.empty()) d.name = d.id->substr(5);
    auto it = remote_.sizes.find(d.name);
    if (it == remote_.sizes.end()) return call.gone();
    d.size = it->second;
  }
  void update(Disk& d, const Disk&, kit::Call&) override {
    std::lock_guard held(remote_.lock);
    remote_.sizes[d.name] = d.size;
  }
  void remove(const Disk& d, kit::Call&) override {
    std::lock_guard held(remote_.lock);
    remote_.sizes.erase(d.name);
  }
  void import(const std::string& id, Disk& d, kit::Call&) override { d.id = id; }

 private:
  Remote& remote_;
};

std::string disk(const std::string& name, int size) {
  return "resource \"d_disk\" \"a\" {\n  name = \"" + name + "\"\n  size = " + std::to_string(size) + "\n}\n";
}

}  // namespace

TEST_CASE("harness: creation, update, drift, replacement, import, errors, destruction") {
  Remote remote;
  kit::Provider p;
  p.add<Disks>("d_disk", remote);
  remote.sizes["there"] = 7;
  CHECK(
      run_steps(
          p, "d",
          {{.about = "planned only", .config = disk("x", 1), .plan = {"d_disk.a: create"}, .only_plan = true},
           {.about = "made",
            .plan = {"d_disk.a: create"},
            .state = {{"d_disk.a.size", "1"}, {"d_disk.a.id", "\"disk/x\""}, {"d_disk.b.id", "none"}}},
           {.about = "grown",
            .config = disk("x", 2),
            .plan = {"d_disk.a: update"},
            .state = {{"d_disk.a.size", "2"}}},
           {.about = "edited",
            .before = [&] { remote.sizes["x"] = 3; },
            .plan = {"d_disk.a: update"},
            .drift = {"d_disk.a: update"}},
           {.about = "lost",
            .before = [&] { remote.sizes.erase("x"); },
            .plan = {"d_disk.a: create"},
            .drift = {"d_disk.a: delete"}},
           {.about = "another", .config = disk("y", 2), .plan = {"d_disk.a: replace"}},
           {.about = "refused",
            .config = disk("y", 0),
            .error = "The value must be at least 1, but it is 0\\."},
           {.about = "broken",
            .config = disk("z", 101),
            .plan = {"d_disk.a: replace"},
            .error = "creating d_disk: out of disks"},
           {.about = "ended", .config = disk("y", 2), .plan = {"d_disk.a: create"}},
           {.about = "destroyed", .plan = {"d_disk.a: delete"}, .destroy = true},
           {.about = "imported",
            .config = disk("there", 7),
            .state = {{"d_disk.a.id", "\"disk/there\""}},
            .import = {"d_disk.a", "disk/there"}}}) == "");
  CHECK(remote.sizes.empty());
}

TEST_CASE("harness: expectations that are wrong are problems, with their step") {
  struct Case {
    kit::testing::Step step;
    const char* said;
  };
  const Case cases[] = {
      {{.about = "plan", .config = disk("x", 1), .plan = {"d_disk.a: update"}},
       "step 1 (plan): resource_changes: d_disk.a: create instead of d_disk.a: update\n"},
      {{.about = "state",
        .config = disk("x", 1),
        .plan = {"d_disk.a: create"},
        .state = {{"d_disk.a.size", "2"}}},
       "step 1 (state): state: d_disk.a.size is 1 instead of 2\n"},
      {{.about = "error", .config = disk("x", 1), .plan = {"d_disk.a: create"}, .error = "nothing"},
       "step 1 (error): nothing failed, but \"nothing\" was expected\n"},
  };
  for (const Case& c : cases) {
    Remote remote;
    kit::Provider p;
    p.add<Disks>("d_disk", remote);
    CHECK(run_steps(p, "d", {c.step}) == c.said);
    CHECK(remote.sizes.empty());
  }
}
