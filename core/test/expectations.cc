// Sorts what was found into what was expected and what was not.
#include "core/test/expectations.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/config/decode.h"

namespace xplan::test {
namespace {

// As diagnostics name what they are about: var.x, check.c, aws_instance.a["k"]. What follows does not count:
// it is the object that has conditions.
Expectations::Expected expected_of(const syntax::Traversal& t) {
  const std::string_view root = t.root.sv();
  Expectations::Expected out{std::string(root == "resource" ? "" : root), t.range};
  const bool named = root == "var" || root == "output" || root == "check";
  const size_t names = root == "resource" || root == "data" ? 2 : 1;
  size_t i = 0;
  for (; i < std::min(names, t.steps.size()) && t.steps[i].is_attr; ++i)
    out.addr.append(out.addr.empty() ? "" : ".").append(t.steps[i].attr.sv());
  if (named || i == t.steps.size()) return out;
  out.one_instance = true;
  if (const syntax::TraversalStep& s = t.steps[i]; !s.is_attr && s.index.is_string())
    out.addr += InstanceKey::of(Symbol(s.index.as_string())).text();
  else if (const auto n =
               !s.is_attr && s.index.is_number() ? s.index.as_number().exact_int64() : std::nullopt)
    out.addr += InstanceKey::of(*n).text();
  return out;
}

}  // namespace

Expectations::Expectations(const config::TestRunBlock& run) {
  for (const syntax::Traversal* t : run.expect_failures) all_.push_back(expected_of(*t));
}

// An expected resource stands for all of its instances.
Expectations::Expected* Expectations::find(const std::string& checked) {
  for (Expected& e : all_)
    if (checked.starts_with(e.addr) &&
        (checked.size() == e.addr.size() || (!e.one_instance && checked[e.addr.size()] == '[')))
      return &e;
  return nullptr;
}

Diagnostics Expectations::settle(Diagnostics found, Phase phase) {
  Diagnostics out;
  for (Diagnostic& d : found.mutable_all()) {
    const bool light = d.severity == Severity::Warning;  // a check
    Expected* e = d.checked.empty() ? nullptr : find(d.checked);
    if (d.checked.empty()) {
      out.add(std::move(d));
    } else if (light && phase == Phase::PlanToApply) {
      continue;  // applying decides it
    } else if (!e) {
      if (d.from_check) d.severity = Severity::Error;
      out.add(std::move(d));
    } else {
      e->met = true;
      if (phase != Phase::PlanToApply) continue;
      out.warn("Expected failure while planning",
               fmt::format("A condition of {} is not met while planning. This failure was expected, but it "
                           "keeps the run block from applying, so the run has failed. To expect failures of "
                           "planning, use command = plan.",
                           d.checked));
      out.add(std::move(d));
    }
  }
  return out;
}

void Expectations::report_missing(Diagnostics& diags) const {
  for (const Expected& e : all_)
    if (!e.met)
      diags.error("Missing expected failure",
                  fmt::format("A condition of {} was expected to fail, but none did.", e.addr), e.range);
}

}  // namespace xplan::test
