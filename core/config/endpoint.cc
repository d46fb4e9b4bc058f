// Parses the endpoints of moved, removed and import blocks: a traversal of module calls and a resource, with
// or without keys.
#include "core/config/decode.h"

namespace xplan::config {

using syntax::Traversal;
using syntax::TraversalStep;

namespace {

bool to_key(const TraversalStep& s, InstanceKey& key) {
  if (s.index.is_string()) {
    key = InstanceKey::of(Symbol(s.index.as_string()));
    return true;
  }
  if (s.index.is_number()) {
    if (std::optional<int64_t> n = s.index.as_number().exact_int64()) {
      key = InstanceKey::of(*n);
      return true;
    }
  }
  return false;
}

// Walks over the root and the steps of a traversal; the root counts as the first name.
class Steps {
 public:
  explicit Steps(const Traversal& t) : t_(t) {}
  bool done() const { return i_ > t_.steps.size(); }
  bool at_name() const { return !done() && (i_ == 0 || step().is_attr); }
  bool at_key() const { return !done() && i_ > 0 && !step().is_attr; }
  Symbol name() const { return i_ == 0 ? t_.root : step().attr; }
  Range range() const { return done() ? t_.range : i_ == 0 ? t_.root_range : step().range; }
  const TraversalStep& step() const { return t_.steps[i_ - 1]; }
  void next() { ++i_; }

 private:
  const Traversal& t_;
  size_t i_ = 0;
};

}  // namespace

std::optional<EndPoint> parse_endpoint(const Traversal& t, Diagnostics& diags) {
  static const Symbol kModule("module"), kData("data"), kEphemeral("ephemeral"), kResource("resource");
  EndPoint out;
  out.range = t.range;
  Steps s(t);
  auto fail = [&](std::string detail) {
    diags.error("Invalid address", std::move(detail), s.range(), t.range);
    return std::nullopt;
  };
  while (!s.done() && s.at_name() && s.name() == kModule) {
    s.next();
    if (!s.at_name()) return fail("The name of a module call is expected after \"module\".");
    const Symbol name = s.name();
    s.next();
    InstanceKey key;
    bool has_key = false;
    if (s.at_key()) {
      if (!to_key(s.step(), key)) return fail("An instance key must be a string or a whole number.");
      has_key = true;
      s.next();
    }
    out.module_steps.emplace_back(name, key);
    out.module_step_has_key.push_back(has_key);
  }
  if (s.done()) return out;
  xplan::Resource r;
  if (!s.at_name()) return fail("A resource type is expected here.");
  if (s.name() == kData || s.name() == kEphemeral || s.name() == kResource) {
    r.mode = s.name() == kData ? Mode::Data : s.name() == kEphemeral ? Mode::Ephemeral : Mode::Managed;
    s.next();
  } else {
    static const Symbol kReserved[] = {Symbol("var"),  Symbol("local"), Symbol("path"), Symbol("terraform"),
                                       Symbol("each"), Symbol("count"), Symbol("self")};
    for (Symbol word : kReserved) {
      if (s.name() == word) {
        return fail("An address of a module or resource is expected here; \"" + std::string(word.sv()) +
                    "\" is neither. Write resource." + std::string(word.sv()) +
                    " if it is the name of a resource type.");
      }
    }
  }
  if (!s.at_name()) return fail("A resource type is expected here.");
  r.type = s.name();
  s.next();
  if (!s.at_name()) return fail("A resource type must be followed by a period and the name of the resource.");
  r.name = s.name();
  s.next();
  if (s.at_key()) {
    if (!to_key(s.step(), out.key)) return fail("An instance key must be a string or a whole number.");
    out.has_key = true;
    s.next();
  }
  if (!s.done()) {
    return fail(
        "The address of a resource ends with its name or with an instance key in brackets; it cannot contain "
        "the resource's attributes.");
  }
  out.resource = r;
  return out;
}

xplan::Module EndPoint::module(xplan::Module of) const {
  for (const auto& [name, key] : module_steps) of = of.child(name);
  return of;
}

std::string EndPoint::text() const {
  std::string out;
  for (size_t i = 0; i < module_steps.size(); ++i) {
    if (i) out += '.';
    out += "module." + std::string(module_steps[i].first.sv());
    if (module_step_has_key[i]) out += module_steps[i].second.text();
  }
  if (resource) {
    if (!out.empty()) out += '.';
    out += resource->text();
    if (has_key) out += key.text();
  }
  return out;
}

}  // namespace xplan::config
