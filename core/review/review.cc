// Lists what reviewers are to be told of a plan, the worst first.
#include "core/review/review.h"

#include <algorithm>
#include <unordered_map>

namespace xplan::review {
namespace {

Rule rule_of(Risk r) {
  switch (r) {
    case Risk::DestroysData:
      return Rule::DestroysData;
    case Risk::ReplacesData:
      return Rule::ReplacesData;
    case Risk::Destroys:
      return Rule::Destroys;
    case Risk::Forgets:
      return Rule::Forgets;
    case Risk::Replaces:
      return Rule::Replaces;
    case Risk::Updates:
      return Rule::Updates;
    case Risk::Creates:
      return Rule::Creates;
    case Risk::Reads:
      return Rule::Reads;
    case Risk::Moves:
      return Rule::Moves;
  }
  return Rule::Updates;
}

// The attributes belong to it: the same object may be changed in another way next time.
std::string identity_of(const ChangeGroup& g, const std::string& address) {
  std::string out = address;
  if (g.changes.size() == 1 && !g.first().deposed.empty()) out += "\n" + g.first().deposed;
  for (const ChangedAttribute& a : g.attributes) out += "\n" + path_text(a.path);
  return out;
}

}  // namespace

RuleFacts facts(Rule r) {
  switch (r) {
    case Rule::Error:
      return {"error", "Error", "Planning failed or did not complete.", Level::Error};
    case Rule::Warning:
      return {"warning", "Warning", "Planning reported a warning that requires attention.", Level::Warning};
    case Rule::Forbidden:
      return {"forbidden", "Forbidden by -fail-on", "The plan does what the option -fail-on forbids.",
              Level::Error};
    case Rule::FailedCheck:
      return {"failed-check", "Failed check",
              "A condition of the configuration would not be met after applying the plan.", Level::Error};
    case Rule::DestroysData:
      return {"destroys-data", "Destroyed with its data",
              "An object that stores data is destroyed, and its data is lost.", Level::Error};
    case Rule::ReplacesData:
      return {"replaces-data", "Replaced with its data",
              "An object that stores data is replaced, and its data is lost.", Level::Error};
    case Rule::Destroys:
      return {"destroys", "Destroyed", "An object is destroyed.", Level::Warning};
    case Rule::Forgets:
      return {"forgets", "Forgotten",
              "An object is no longer managed, but it still exists and can still cost money.",
              Level::Warning};
    case Rule::Replaces:
      return {"replaces", "Replaced", "An object is destroyed and created again.", Level::Warning};
    case Rule::Drift:
      return {"drift", "Changed outside of the configuration",
              "An object has changed since the last apply. The plan may undo that change.", Level::Warning};
    case Rule::Updates:
      return {"updates", "Updated in place", "Attributes of an object are changed.", Level::Note};
    case Rule::Creates:
      return {"creates", "Created", "An object is created.", Level::Note};
    case Rule::Reads:
      return {"reads", "Read during apply", "A data source can only be read while changes are made.",
              Level::Note};
    case Rule::Moves:
      return {"moves", "Moved or imported", "An object is moved to another address, or imported.",
              Level::Note};
    case Rule::Deferred:
      return {"deferred", "Deferred",
              "A change is deferred to a later plan, because some of its values are not known yet.",
              Level::Note};
  }
  return {};
}

std::vector<Finding> findings(const Review& review) {
  std::vector<Finding> out;
  out.reserve(review.summary.groups.size() + review.plan.drift.size() + 8);
  auto add = [&](Rule rule, std::string subject, std::string identity, Range place) -> Finding& {
    out.push_back({rule, std::move(subject), std::move(identity), place});
    return out.back();
  };
  for (const Diagnostic& d : review.problems.all())
    if (!d.from_check)  // told as what they are
      add(d.severity == Severity::Error ? Rule::Error : Rule::Warning, d.summary, d.address + "\n" + d.detail,
          d.subject)
          .problem = &d;
  for (const Violation& v : review.violations)
    add(Rule::Forbidden, v.guard.text, v.guard.text, {}).violation = &v;
  for (const CheckResult& c : review.plan.checks)
    if (c.status == CheckStatus::Fail || c.status == CheckStatus::Error)
      add(Rule::FailedCheck, c.config_addr, c.config_addr, review.places.of(c)).check = &c;
  for (const ChangeGroup& g : review.summary.groups) {
    std::string address = g.address();
    std::string identity = identity_of(g, address);
    add(rule_of(g.risk), std::move(address), std::move(identity), review.places.of(g.resource)).group = &g;
  }
  for (const ResourceChange& c : review.plan.drift)
    if (c.change.action != Action::NoOp)
      add(Rule::Drift, c.addr.text(), c.addr.text() + "\n" + c.deposed, review.places.of(c.addr.config()))
          .drift = &c;
  for (const DeferredChange& d : review.plan.deferred)
    add(Rule::Deferred, d.change.addr.text(), d.change.addr.text() + "\n" + d.change.deposed,
        review.places.of(d.change.addr.config()))
        .deferred = &d;
  std::stable_sort(out.begin(), out.end(),
                   [](const Finding& a, const Finding& b) { return a.rule < b.rule; });
  std::unordered_map<std::string, size_t> seen;
  for (Finding& f : out)
    if (const size_t n = seen[std::string(facts(f.rule).id) + "\n" + f.identity]++; n > 0)
      f.identity += "\n#" + std::to_string(n + 1);
  return out;
}

}  // namespace xplan::review
