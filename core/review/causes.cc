// Puts reasons and what is behind them together, and asks from the other side what follows from a change.
#include "core/review/causes.h"

#include <algorithm>
#include <unordered_set>

#include "core/review/cause_reasons.h"

namespace xplan::review {

std::string_view name_of(StepKind k) {
  static constexpr std::string_view kNames[] = {"variable",  "local",  "output",  "repetition", "function",
                                                "attribute", "change", "drift",   "data",       "object",
                                                "option",    "block",  "deferral"};
  return kNames[static_cast<size_t>(k)];
}

struct CauseFinder::Impl {
  Impl(const Plan& p, const config::Config& c, const SourceTable* s)
      : facts(p, c, s), blocks(facts), all(facts, blocks) {}

  Why follow(ChangeReason r, const ResourceChange* owner, CauseScope scope) {
    if (!r.why.chains.empty()) return std::move(r.why);
    if (!r.root.attribute && r.root.step.subject.empty()) return std::move(r.why);
    CauseGraph(facts, all, owner, scope).follow(r.root, r.why);
    const bool drifted = !r.root.behind.empty();
    if (r.root.attribute && !r.why.because.empty() && !drifted) r.why.text = "follows from another change";
    if (!r.root.attribute) r.why.from.clear();
    return std::move(r.why);
  }

  std::vector<Why> follow(std::vector<ChangeReason> reasons, const ResourceChange* owner, CauseScope scope) {
    std::vector<Why> out;
    out.reserve(reasons.size());
    for (ChangeReason& r : reasons) out.push_back(follow(std::move(r), owner, scope));
    return out;
  }

  CauseFacts facts;
  CauseBlocks blocks;
  Reasons all;
};

CauseFinder::CauseFinder(const Plan& plan, const config::Config& config, const SourceTable* sources)
    : impl_(std::make_unique<Impl>(plan, config, sources)) {}
CauseFinder::~CauseFinder() = default;

bool CauseFinder::explains(const ResourceChange& c) {
  if (c.addr.resource.mode == Mode::Ephemeral) return false;
  if (c.addr.resource.mode == Mode::Data && c.change.action == Action::Delete) return false;
  return c.change.action != Action::NoOp || c.moved() || c.change.importing;
}

std::vector<Why> CauseFinder::why(const ResourceChange& c, CauseScope scope) {
  return impl_->follow(impl_->all.reasons(c), &c, scope);
}

std::vector<Why> CauseFinder::why(const DeferredChange& c, CauseScope scope) {
  return impl_->follow(impl_->all.reasons(c), &c.change, scope);
}

std::vector<Why> CauseFinder::why(const OutputChange& c, CauseScope scope) {
  Why w = impl_->follow(impl_->all.reason(c), nullptr, scope);
  if (!w.because.empty() && c.change.action == Action::Update)
    w.text = "its value follows from another change";
  if (scope.unknown) w.text = "its value is known only after apply";
  return {std::move(w)};
}

std::vector<std::string> CauseFinder::decided(const ResourceChange& c) {
  std::vector<std::string> out;
  const config::Resource* r = impl_->facts.declared(c.addr);
  if (!r || c.change.after.is_wholly_known()) return out;
  walk_value(c.change.after, [&](const Path& path, const Value& v) {
    if (v.is_wholly_known()) return false;
    if (!v.is_unknown() || path.empty()) return true;
    if (!impl_->all.is_set(*r, path)) out.push_back(path_text(path).substr(1));
    return false;
  });
  return out;
}

std::vector<Why> CauseFinder::unknown(const ResourceChange& c, CauseScope scope) {
  std::vector<Why> out;
  const config::Resource* r = impl_->facts.declared(c.addr);
  if (!r || c.change.after.is_wholly_known()) return out;
  walk_value(c.change.after, [&](const Path& path, const Value& v) {
    if (v.is_wholly_known()) return false;
    if (!v.is_unknown() || path.empty()) return true;
    if (impl_->all.is_set(*r, path)) {
      Why w = impl_->follow(impl_->all.attribute(c, path, false), &c, scope);
      w.text = "is known only after apply";
      out.push_back(std::move(w));
    }
    return false;
  });
  return out;
}

std::optional<Why> CauseFinder::attribute(const ResourceChange& c, const Path& path, CauseScope scope) {
  const Value& object = c.change.after.is_null() ? c.change.before : c.change.after;
  const std::optional<Value> there = path_get(object, path);
  const std::optional<Value> before = c.change.before.is_null() ? there : path_get(c.change.before, path);
  if (!there && !before) return std::nullopt;
  const bool replaces = std::any_of(c.required_replace.begin(), c.required_replace.end(), [&](const Path& p) {
    const size_t common = std::min(p.size(), path.size());
    return std::equal(p.begin(), p.begin() + static_cast<std::ptrdiff_t>(common), path.begin());
  });
  Why w = impl_->follow(impl_->all.attribute(c, path, replaces && is_replace(c.change.action)), &c, scope);
  const config::Resource* r = impl_->facts.declared(c.addr);
  const bool set = r && impl_->all.is_set(*r, path);
  if (there && !there->is_wholly_known())
    w.text = set ? "is known only after apply" : "is decided by the provider";
  else if (!changes_at(c, path))
    w.text = "does not change";
  else if (c.change.before.is_null())
    w.text = set ? "is set in the configuration" : "is not set in the configuration, so the provider sets it";
  return w;
}

std::vector<const ResourceChange*> CauseFinder::dependents(const ResourceChange& c, size_t most) {
  std::unordered_set<ConfigResource> readers;
  for (const ConfigResource& r : impl_->blocks.readers(c.addr.config())) readers.insert(r);
  std::vector<const ResourceChange*> out;
  if (readers.empty()) return out;
  for (const ResourceChange& other : impl_->facts.plan.changes) {
    if (out.size() == most) break;
    if (!explains(other) || !readers.contains(other.addr.config())) continue;
    // Of what is created, values that are not known yet are all that can follow from something.
    const std::vector<Why> all = other.change.action == Action::Create ? unknown(other) : why(other);
    const bool follows = std::any_of(all.begin(), all.end(), [&](const Why& w) {
      return std::find(w.because.begin(), w.because.end(), &c) != w.because.end();
    });
    if (follows) out.push_back(&other);
  }
  return out;
}

std::vector<const ResourceChange*> CauseFinder::chain(const ResourceChange& c) {
  struct Frame {
    const ResourceChange* change;
    std::vector<const ResourceChange*> causes;
    size_t next = 0;
  };
  auto causes_of = [&](const ResourceChange& x) {
    std::vector<const ResourceChange*> found;
    for (const Why& w : why(x)) found.insert(found.end(), w.because.begin(), w.because.end());
    return found;
  };
  std::vector<const ResourceChange*> out;
  std::unordered_set<const ResourceChange*> seen{&c};
  std::vector<Frame> stack;
  stack.push_back({&c, causes_of(c)});
  while (!stack.empty()) {
    Frame& f = stack.back();
    if (f.next == f.causes.size()) {
      out.push_back(f.change);
      stack.pop_back();
      continue;
    }
    const ResourceChange* cause = f.causes[f.next++];
    if (seen.insert(cause).second) stack.push_back({cause, causes_of(*cause)});
  }
  return out;
}

}  // namespace xplan::review
