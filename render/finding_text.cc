// Words for findings.
#include "render/finding_text.h"

#include <fmt/format.h>

#include "core/base/terminal.h"
#include "render/group_text.h"

namespace xplan::render {
namespace {

constexpr size_t kMostNamed = 20;

std::string_view verdict(review::Rule rule) {
  switch (rule) {
    case review::Rule::DestroysData:
      return "will be destroyed, along with its data";
    case review::Rule::ReplacesData:
      return "will be replaced, along with its data";
    case review::Rule::Destroys:
      return "will be destroyed";
    case review::Rule::Forgets:
      return "will no longer be managed, but not destroyed";
    case review::Rule::Replaces:
      return "will be replaced";
    case review::Rule::Updates:
      return "will be updated in place";
    case review::Rule::Creates:
      return "will be created";
    case review::Rule::Reads:
      return "will be read during apply";
    case review::Rule::Moves:
      return "will be moved or imported";
    case review::Rule::Drift:
      return "has changed outside of the configuration";
    case review::Rule::Deferred:
      return "is deferred to a later plan";
    case review::Rule::Error:
    case review::Rule::Warning:
    case review::Rule::Forbidden:
    case review::Rule::FailedCheck:
      return "";
  }
  return "";
}

std::string listed(const std::vector<std::string>& names) {
  std::string out;
  for (size_t i = 0; i < names.size() && i < kMostNamed; ++i) out += (i ? ", " : "") + names[i];
  if (names.size() > kMostNamed) out += fmt::format(" and {} more", names.size() - kMostNamed);
  return out;
}

std::string said(const review::Finding& f) {
  if (f.problem) {
    const std::string& address = f.problem->address;
    const std::string text = address.empty() ? f.subject : address + ": " + f.subject;
    return f.problem->detail.empty() ? text : text + "\n\n" + f.problem->detail;
  }
  if (f.violation)
    return fmt::format("-fail-on={} forbids what the plan does: {}.", f.subject, listed(f.violation->what));
  if (f.check) {
    std::vector<std::string> messages;
    for (const CheckObject& object : f.check->objects)
      for (const std::string& m : object.failure_messages) messages.push_back(object.object_addr + ": " + m);
    return messages.empty() ? f.subject + ": the check did not pass." : listed(messages);
  }
  if (!f.group) return fmt::format("{} {}.", f.subject, verdict(f.rule));
  std::string note = group_note(*f.group).text();
  if (!note.empty()) note = " (" + note + ")";
  return fmt::format("{} {}{}.", group_address(*f.group), verdict(f.rule), note);
}

}  // namespace

std::string finding_text(const review::Finding& finding) {
  return for_terminal(said(finding));
}

}  // namespace xplan::render
