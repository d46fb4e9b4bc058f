// Reads guards, and compares a plan with them.
#include "core/review/guards.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>

#include "core/review/summary.h"

namespace xplan::review {
namespace {

struct GuardRow {
  std::string_view name;
  Guarded what;
  std::string_view noun;  // plural
};
constexpr GuardRow kGuards[] = {
    {"create", Guarded::Create, "creations"},
    {"update", Guarded::Update, "updates"},
    {"replace", Guarded::Replace, "replacements"},
    {"destroy", Guarded::Destroy, "destructions"},
    {"data-loss", Guarded::DataLoss, "losses of data"},
    {"forget", Guarded::Forget, "forgotten objects"},
    {"import", Guarded::Import, "imports"},
    {"move", Guarded::Move, "moves"},
    {"drift", Guarded::Drift, "objects that changed outside of it"},
    {"unknown", Guarded::Unknown, "unknown values"},
    {"output", Guarded::Output, "changed outputs"},
    {"deferred", Guarded::Deferred, "deferred changes"},
};

Result<Guard> parse_guard(std::string_view text) {
  Guard g;
  g.text = text;
  const size_t sign = text.find('>');
  const std::string_view name = text.substr(0, sign);
  const auto row =
      std::find_if(std::begin(kGuards), std::end(kGuards), [&](const GuardRow& r) { return r.name == name; });
  if (row == std::end(kGuards))
    return Error{fmt::format("\"{}\" is not a valid kind. The kinds are {}", name, guard_names())};
  g.what = row->what, g.noun = row->noun;
  if (sign == std::string_view::npos) return g;
  const std::string_view number = text.substr(sign + 1);
  const auto [end, problem] = std::from_chars(number.data(), number.data() + number.size(), g.most);
  if (problem != std::errc() || end != number.data() + number.size() || number.empty())
    return Error{fmt::format("\"{}\" is not valid. Write {}>5, for example, to permit up to 5", text, name)};
  return g;
}

bool counts(Guarded what, const ResourceChange& c, const DataTypes& types) {
  const Action a = c.change.action;
  switch (what) {
    case Guarded::Create:
      return a == Action::Create;
    case Guarded::Update:
      return a == Action::Update;
    case Guarded::Replace:
      return is_replace(a);
    case Guarded::Destroy:
      return destroys(a);
    case Guarded::DataLoss:
      return concerns_data(risk_of(c, types));
    case Guarded::Forget:
      return forgets(a);
    case Guarded::Import:
      return c.change.importing;
    case Guarded::Move:
      return c.moved();
    case Guarded::Unknown:
      return a == Action::Update && !c.change.after.is_wholly_known();
    case Guarded::Drift:
    case Guarded::Output:
    case Guarded::Deferred:
      return false;
  }
  return false;
}

class Search {
 public:
  Search(const Plan& plan, const std::vector<Target>& allowed, const DataTypes& types)
      : plan_(plan), allowed_(allowed), types_(types) {}

  std::vector<std::string> find(Guarded what) {
    std::vector<std::string> out;
    auto add = [&](const ResourceChange& c) {
      if (!covered(c))
        out.push_back(c.addr.text() + (c.deposed.empty() ? "" : " (deposed object " + c.deposed + ")"));
    };
    for (const ResourceChange& c : plan_.changes)
      if (acts(c) && counts(what, c, types_)) add(c);
    if (what == Guarded::Drift)
      for (const ResourceChange& c : plan_.drift)
        if (c.change.action != Action::NoOp) add(c);
    if (what == Guarded::Deferred)
      for (const DeferredChange& d : plan_.deferred) add(d.change);
    if (what == Guarded::Output)
      for (const OutputChange& o : plan_.outputs)
        if (o.change.action != Action::NoOp) out.push_back("output." + std::string(o.name.sv()));
    return out;
  }

 private:
  bool covered(const ResourceChange& c) const {
    return std::any_of(allowed_.begin(), allowed_.end(), [&](const Target& t) { return t.covers(c.addr); });
  }

  const Plan& plan_;
  const std::vector<Target>& allowed_;
  const DataTypes& types_;
};

}  // namespace

std::vector<std::string> guard_list() {
  std::vector<std::string> out;
  for (const GuardRow& r : kGuards) out.emplace_back(r.name);
  return out;
}

std::string guard_names() {
  return fmt::format("{}", fmt::join(guard_list(), ", "));
}

Result<std::vector<Guard>> parse_guards(std::string_view text) {
  std::vector<Guard> out;
  while (true) {
    const size_t comma = text.find(',');
    Result<Guard> g = parse_guard(text.substr(0, comma));
    if (!g) return g.error();
    out.push_back(std::move(*g));
    if (comma == std::string_view::npos) return out;
    text.remove_prefix(comma + 1);
  }
}

std::vector<Violation> violations(const Plan& plan, const std::vector<Guard>& guards,
                                  const std::vector<Target>& allowed, const DataTypes& types) {
  std::vector<Violation> out;
  Search search(plan, allowed, types);
  for (const Guard& g : guards)
    if (std::vector<std::string> found = search.find(g.what); found.size() > g.most)
      out.push_back({g, std::move(found)});
  return out;
}

}  // namespace xplan::review
