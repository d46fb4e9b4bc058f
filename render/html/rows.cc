// Goes through what a plan changes, found changed and deferred, and renders each as a terminal would show it.
#include "render/html/rows.h"

#include "render/change_diff.h"
#include "render/explain.h"

namespace xplan::render::html {
namespace {

Kind drift_kind(const ResourceChange& c) {
  if (c.change.action == Action::Delete) return Kind::Deleted;
  return c.change.action == Action::NoOp ? Kind::MovedOutside : Kind::Changed;
}

Row row_of(const ResourceChange& c, Kind kind, const review::DataTypes& types) {
  Row row{&c, kind, review::risk_of(c, types), c.addr.text(), {}};
  if (!c.deposed.empty()) row.address += " (deposed object " + c.deposed + ")";
  return row;
}

// Lines of diffs are not wrapped, and long strings are shown by what changes in them.
HumanOptions for_rows(const HumanOptions& options) {
  HumanOptions o = options;
  o.width = 100;
  return o;
}

}  // namespace

Kind kind_of(Action action, bool importing) {
  switch (action) {
    case Action::NoOp:
      return importing ? Kind::Import : Kind::Move;
    case Action::Create:
      return Kind::Create;
    case Action::Read:
      return Kind::Read;
    case Action::Update:
      return Kind::Update;
    case Action::DeleteThenCreate:
      return Kind::Replace;
    case Action::ForgetThenCreate:
      return Kind::Replace;
    case Action::CreateThenDelete:
      return Kind::ReplaceCreatingFirst;
    case Action::Delete:
      return Kind::Destroy;
    case Action::Forget:
      return Kind::Forget;
  }
  return Kind::Update;
}

size_t each_change(const PageInput& in, const HumanOptions& options, const OnRow& on_row) {
  HumanOptions o = for_rows(options);
  o.why = [&](const ResourceChange& c, std::string& out) { put_why_lines(in.causes, c, 0, out); };
  Arena arena;
  size_t count = 0;
  for (const ResourceChange& c : in.plan.changes) {
    if (!review::acts(c)) continue;
    ++count;
    if (!on_row) continue;
    arena.release();
    Row row = row_of(c, kind_of(c.change.action, c.change.importing), in.types);
    render_change(c, *change_diff(c, nullptr, arena, o.diff), ChangeCause::Proposed, o, row.text, arena);
    if (!on_row(row)) break;
  }
  return count;
}

size_t each_drift(const PageInput& in, const HumanOptions& options, const OnRow& on_row) {
  const HumanOptions o = for_rows(options);
  Arena arena;
  size_t count = 0;
  for (const ShownDrift& d : drift_to_show(in.plan)) {
    ++count;
    if (!on_row) continue;
    arena.release();
    const Diff* diff =
        change_diff(*d.change, in.plan.mode == PlanMode::RefreshOnly ? nullptr : &d.paths, arena, o.diff);
    Row row = row_of(*d.change, drift_kind(*d.change), in.types);
    render_change(*d.change, *diff, ChangeCause::Drift, o, row.text, arena);
    if (!on_row(row)) break;
  }
  return count;
}

size_t each_deferred(const PageInput& in, const HumanOptions& options, const OnRow& on_row) {
  if (!on_row) return in.plan.deferred.size();
  Arena arena;
  for (const DeferredChange& d : in.plan.deferred) {
    arena.release();
    Row row = row_of(d.change, Kind::Deferred, in.types);
    render_deferred(d, for_rows(options), row.text, arena);
    if (!on_row(row)) break;
  }
  return in.plan.deferred.size();
}

}  // namespace xplan::render::html
