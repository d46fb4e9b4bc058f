// Words for the groups of a summary: their risk, how many instances they have, what changes in them.
//
// Who calls it: every form in which a plan is reviewed: text, Markdown, SARIF, annotations.
// Contract: no sensitive value; names and values are as they are: whoever prints them escapes them for the
// medium. Each text is bounded, but for addresses and names. Cost: linear in the group's changes (address).
// Thread-safety: pure functions.
#pragma once
#include <string>
#include <string_view>

#include "core/review/summary.h"
#include "render/text.h"

namespace xplan::render {

struct RiskText {
  std::string_view title, mark;
  Style style;
};
RiskText risk_text(review::Risk r);
std::string_view group_mark(const review::ChangeGroup& g);  // "-/+"
std::string group_address(const review::ChangeGroup& g);    // with the key of a deposed object

struct GroupNote {
  std::string count;   // "3 instances, the same change"; nothing of a single one
  std::string keys;    // of instances that differ: ["a"], ["b"]
  std::string change;  // "input "a" -> "b", tainted"
  std::string text() const;
};
GroupNote group_note(const review::ChangeGroup& g);

// "input "a" -> "b"": one changed attribute, in at most a few words; of long values only the name.
std::string attribute_text(const review::ChangedAttribute& a);
// "1 replaced, 4 updated."
std::string totals_text(const review::Summary& summary, std::string_view product);

}  // namespace xplan::render
