// What a page lists: each change of the plan with its address, what is done, and its text as on a terminal.
//
// Who calls it: page.cc, for the data of the script and for what can be read without it.
// Contract: rows come in the plan's order; a row's texts live as long as the call that is given it. Cost: one
// diff a row.  Thread-safety: as CauseFinder.
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "render/html/page.h"

namespace xplan::render::html {

enum class Kind : uint8_t {
  Destroy,
  Replace,
  ReplaceCreatingFirst,
  Forget,
  Update,
  Create,
  Read,
  Import,
  Move,
  Changed,
  Deleted,
  MovedOutside,
  Deferred
};
struct KindFacts {
  std::string_view name;  // kinds of the same name are one to the filter
  std::string_view mark, style, outcome;
};
constexpr KindFacts kKinds[] = {
    {"destroy", "-", "r", "will be destroyed"},
    {"replace", "-/+", "r", "will be replaced"},
    {"replace", "+/-", "r", "will be replaced (create before destroy)"},
    {"forget", ".", "r", "will be forgotten, but not destroyed"},
    {"update", "~", "y", "will be updated in place"},
    {"create", "+", "g", "will be created"},
    {"read", "<=", "c", "will be read during apply"},
    {"import", "", "", "will be imported"},
    {"move", "", "", "has moved"},
    {"changed", "~", "y", "has changed"},
    {"deleted", "-", "r", "has been deleted"},
    {"moved", "", "", "has moved"},
    {"deferred", "", "c", "is deferred"},
};
constexpr const KindFacts& facts(Kind k) {
  return kKinds[static_cast<size_t>(k)];
}
Kind kind_of(Action action, bool importing);

struct Row {
  const ResourceChange* change = nullptr;
  Kind kind = Kind::Update;
  review::Risk risk = review::Risk::Updates;
  std::string address;  // with the key of a deposed object
  std::string text;     // in a terminal's colours
};
using OnRow = std::function<bool(const Row&)>;  // false: that was enough
// Each returns how many there were; without `on_row` they are only counted.
size_t each_change(const PageInput& in, const HumanOptions& options, const OnRow& on_row);
size_t each_drift(const PageInput& in, const HumanOptions& options, const OnRow& on_row);
size_t each_deferred(const PageInput& in, const HumanOptions& options, const OnRow& on_row);

}  // namespace xplan::render::html
