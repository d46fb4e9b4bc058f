// Writes test suites: changes, drift, outputs, deferred changes, checks.
#include "render/junit/junit.h"

#include <fmt/format.h>

#include <unordered_map>

#include "render/junit/xml.h"
#include "render/places.h"

namespace xplan::render {
namespace {

using review::Guarded;
using review::Violation;

class Suite {
 public:
  Suite(std::string_view name, const SourceTable& sources, std::string_view directory)
      : name_(name), sources_(sources), directory_(directory) {}

  // `outcome`: elements inside of the case, "" for success.
  void add(std::string_view group, std::string_view name, Range place, const std::string& outcome) {
    ++tests_;
    failures_ += outcome.find("<failure") != std::string::npos;
    errors_ += outcome.find("<error") != std::string::npos;
    skipped_ += outcome.find("<skipped") != std::string::npos;
    cases_ += fmt::format("    <testcase classname=\"{}\" name=\"{}\"", xml_text(group), xml_text(name));
    if (const FilePlace p = file_place(sources_, place, directory_); !p.file.empty())
      cases_ += fmt::format(" file=\"{}\" line=\"{}\"", xml_text(p.file), p.line);
    cases_ += outcome.empty() ? "/>\n" : ">" + outcome + "</testcase>\n";
  }
  std::string text() const {
    if (!tests_) return "";
    return fmt::format("  <testsuite name=\"{}\" {}>\n{}  </testsuite>\n", name_,
                       numbers(tests_, failures_, errors_, skipped_), cases_);
  }
  static std::string numbers(size_t tests, size_t failures, size_t errors, size_t skipped) {
    return fmt::format("tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\"", tests, failures, errors,
                       skipped);
  }
  void count(size_t& tests, size_t& failures, size_t& errors, size_t& skipped) const {
    tests += tests_, failures += failures_, errors += errors_, skipped += skipped_;
  }

 private:
  std::string_view name_;
  const SourceTable& sources_;
  std::string_view directory_;
  std::string cases_;
  size_t tests_ = 0, failures_ = 0, errors_ = 0, skipped_ = 0;
};

// Which guards forbid what; guards of drift, outputs and deferred changes apart, since an address can be both
// changed and drifted.
class Forbidden {
 public:
  explicit Forbidden(const std::vector<Violation>& violations) {
    for (const Violation& v : violations)
      for (const std::string& what : v.what) by_[kind(v.guard.what)][what].push_back(&v.guard);
  }
  std::string outcome(Guarded what, const std::string& subject) const {
    std::string out;
    const auto of = by_.find(kind(what));
    if (of == by_.end()) return out;
    const auto it = of->second.find(subject);
    if (it == of->second.end()) return out;
    for (const review::Guard* g : it->second)
      out += fmt::format("<failure type=\"fail-on\" message=\"{}\"/>",
                         xml_text(fmt::format("-fail-on={} forbids it", g->text)));
    return out;
  }

 private:
  static Guarded kind(Guarded what) {
    return what == Guarded::Drift || what == Guarded::Output || what == Guarded::Deferred ? what
                                                                                          : Guarded::Update;
  }
  std::unordered_map<Guarded, std::unordered_map<std::string, std::vector<const review::Guard*>>> by_;
};

std::string_view outcome_of(const ResourceChange& c) {
  if (c.change.action == Action::NoOp) return c.change.importing ? "will be imported" : "will be moved";
  return facts(c.change.action).outcome;
}

std::string subject_of(const ResourceChange& c) {
  return c.addr.text() + (c.deposed.empty() ? "" : " (deposed object " + c.deposed + ")");
}

std::string problem_outcome(const Diagnostic& d) {
  return fmt::format("<error type=\"plan\" message=\"{}\">{}</error>", xml_text(d.summary),
                     xml_text(d.detail));
}

std::string check_outcome(const CheckObject& object) {
  switch (object.status) {
    case CheckStatus::Pass:
      return "";
    case CheckStatus::Unknown:
      return "<skipped message=\"known after apply\"/>";
    case CheckStatus::Fail:
    case CheckStatus::Error:
      break;
  }
  std::string text;
  for (const std::string& m : object.failure_messages) text += (text.empty() ? "" : "\n") + m;
  const std::string_view element = object.status == CheckStatus::Fail ? "failure" : "error";
  return fmt::format("<{0} type=\"check\" message=\"{1}\">{2}</{0}>", element,
                     object.status == CheckStatus::Fail ? "the check failed" : "the check has an error",
                     xml_text(text));
}

}  // namespace

void write_junit(const review::Review& review, const SourceTable& sources, std::string_view directory,
                 const Sink& sink) {
  const Forbidden forbidden(review.violations);
  Suite planning("planning", sources, directory);
  for (const Diagnostic& d : review.problems.all())
    if (d.severity == Severity::Error)
      planning.add("plan", d.address.empty() ? d.summary : d.address + ": " + d.summary, d.subject,
                   problem_outcome(d));
  Suite changes("changes", sources, directory), drift("drift", sources, directory),
      outputs("outputs", sources, directory), deferred("deferred", sources, directory),
      checks("checks", sources, directory);
  auto add = [&](Suite& suite, Guarded what, const ResourceChange& c, std::string_view verdict) {
    const std::string subject = subject_of(c);
    suite.add(c.addr.config().text(), fmt::format("{} {}", subject, verdict),
              review.places.of(c.addr.config()), forbidden.outcome(what, subject));
  };
  for (const ResourceChange& c : review.plan.changes)
    if (review::acts(c)) add(changes, Guarded::Update, c, outcome_of(c));
  for (const ResourceChange& c : review.plan.drift)
    if (c.change.action != Action::NoOp)
      add(drift, Guarded::Drift, c, c.change.action == Action::Delete ? "has been deleted" : "has changed");
  for (const DeferredChange& d : review.plan.deferred)
    add(deferred, Guarded::Deferred, d.change, "is deferred");
  for (const OutputChange& o : review.plan.outputs) {
    if (o.change.action == Action::NoOp) continue;
    const std::string name = "output." + std::string(o.name.sv());
    outputs.add("output", name, review.places.of_output(o.name), forbidden.outcome(Guarded::Output, name));
  }
  for (const CheckResult& c : review.plan.checks)
    for (const CheckObject& object : c.objects)
      checks.add(c.config_addr, object.object_addr, review.places.of(c), check_outcome(object));
  size_t tests = 0, failures = 0, errors = 0, skipped = 0;
  const Suite* const all[] = {&planning, &changes, &drift, &outputs, &deferred, &checks};
  for (const Suite* s : all) s->count(tests, failures, errors, skipped);
  sink(fmt::format("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"xplan\" {}>\n",
                   Suite::numbers(tests, failures, errors, skipped)));
  for (const Suite* s : all) sink(s->text());
  sink("</testsuites>\n");
}

}  // namespace xplan::render
