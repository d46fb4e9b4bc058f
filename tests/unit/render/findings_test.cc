// Findings of a plan: their order, their places, and that identities are unique and stable; what an apply
// did.
#include <catch2/catch.hpp>

#include <algorithm>
#include <set>

#include "core/review/review.h"
#include "core/review/work_log.h"
#include "tests/support/test_world.h"

using namespace xplan;

namespace {

// "rule subject line" of each finding.
std::vector<std::string> told(test::TestWorld& world, const Plan& plan, std::string_view fail_on = "") {
  const review::Summary summary = review::summarize(plan, {});
  std::vector<review::Guard> guards;
  if (!fail_on.empty()) guards = *review::parse_guards(fail_on);
  const review::Review review{plan, summary, world.diags, review::violations(plan, guards, {}, {}),
                              review::Places(world.config.get())};
  std::vector<std::string> out;
  std::set<std::string> identities;
  for (const review::Finding& f : findings(review)) {
    ResolvedRange r;
    const bool placed = world.sources->resolve(f.place, r);
    const std::string rule(review::facts(f.rule).id);
    out.push_back(rule + " " + f.subject + (placed ? " " + std::to_string(r.start.line) : ""));
    CHECK(identities.insert(rule + f.identity).second);
  }
  return out;
}

}  // namespace

TEST_CASE("review: the worst first, each with its place") {
  test::TestWorld world(R"(
resource "terraform_data" "kept" { input = 1 }
resource "terraform_data" "replaced" { triggers_replace = 1 }
resource "terraform_data" "gone" {}
resource "terraform_data" "moved" {}
resource "terraform_data" "removed" {}
)");
  world.apply(world.plan());
  world.fs.files["main.tf"] = R"(
resource "terraform_data" "kept" { input = 2 }
resource "terraform_data" "replaced" { triggers_replace = 2 }
resource "terraform_data" "here" {}
moved {
  from = terraform_data.moved
  to   = terraform_data.here
}
removed {
  from = terraform_data.removed
  lifecycle {
    destroy = false
  }
}
resource "terraform_data" "new" { count = 2 }
check "c" {
  assert {
    condition     = terraform_data.kept.id == ""
    error_message = "No."
  }
}
)";
  const Plan plan = world.plan();
  INFO(world.problems());
  CHECK(told(world, plan, "destroy") ==
        std::vector<std::string>{
            "forbidden destroy", "failed-check check.c 16", "destroys terraform_data.gone",
            "forgets terraform_data.removed 9", "replaces terraform_data.replaced 3",
            "warning Some objects will no longer be managed", "updates terraform_data.kept 2",
            "creates terraform_data.new[*] 15", "moves terraform_data.here 4"});
}

TEST_CASE("review: the longest operations of an apply") {
  review::WorkLog work;
  for (const int seconds : {3, 9, 1, 7, 5, 8, 2})
    work.add({*parse_abs_instance("a.b[" + std::to_string(seconds) + "]"), "", Action::Create,
              static_cast<double>(seconds)},
             seconds == 8);
  CHECK(work.done() == 6);
  CHECK(work.done(Action::Create) == 6);
  CHECK(work.failed().size() == 1);
  std::vector<double> longest;
  for (const review::Operation& op : work.longest()) longest.push_back(op.seconds);
  CHECK(longest == std::vector<double>{9, 7, 5, 3, 2});
}
