// Sorts what was found into what was expected and what was not.
#include "core/test/expectations.h"

#include <fmt/format.h>

#include "core/config/decode.h"

namespace xplan::test {
namespace {

// As diagnostics name what they are about: var.x, check.c, aws_instance.a["k"].
std::string address_of(const syntax::Traversal& t) {
  std::string out(t.root.sv());
  if (out == "resource") out.clear();
  for (const syntax::TraversalStep& s : t.steps) {
    if (s.is_attr)
      out.append(out.empty() ? "" : ".").append(s.attr.sv());
    else if (s.index.is_string())
      out += InstanceKey::of(Symbol(s.index.as_string())).text();
    else if (const auto n = s.index.is_number() ? s.index.as_number().exact_int64() : std::nullopt)
      out += InstanceKey::of(*n).text();
  }
  return out;
}

}  // namespace

Expectations::Expectations(const config::TestRunBlock& run) {
  for (const syntax::Traversal* t : run.expect_failures) all_.push_back({address_of(*t), t->range});
}

// An expected resource stands for all of its instances.
Expectations::Expected* Expectations::find(const std::string& checked) {
  for (Expected& e : all_)
    if (checked.starts_with(e.addr) && (checked.size() == e.addr.size() || checked[e.addr.size()] == '['))
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
