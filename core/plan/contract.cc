// Checks what providers return against the schema and against what they returned before: conformity, planned
// values, apply results, write-only attributes, replacement paths.
#include "core/plan/contract.h"

#include <fmt/format.h>

#include <map>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "core/base/text.h"

namespace xplan {
namespace {

using schema::Attribute;
using schema::NestedBlock;
using schema::Nesting;

// People search the log for these words.
constexpr const char* kNotComputed = "planned value for a non-computed attribute that is not configured";

// Providers are told so: no capability offers it to them.
constexpr const char* kNoComputedBlocks =
    "; computed blocks, which Terraform has from version 1.16 on, are not supported";

Path extend(const Path& p, PathStep s) {
  Path out = p;
  out.push_back(std::move(s));
  return out;
}

// One walk over values in parallel with the schema. The checks differ only in what they ask of a leaf.
class Checker {
 public:
  explicit Checker(Violations& out) : out_(out) {}

  void fail(const Path& p, std::string message) {
    if (out_.size() < 100) out_.emplace_back(p, std::move(message));
  }

  // ---- a planned object against prior and configuration
  void planned_object(const Path& p, const std::vector<Attribute>& attributes,
                      const std::vector<NestedBlock>* blocks, const Value& prior, const Value& config,
                      const Value& planned) {
    if (planned.is_null() != config.is_null() && !config.is_unknown()) {
      fail(p, planned.is_null() ? "the planned value is null although it is configured"
                                : "a value is planned although none is configured");
      return;
    }
    if (planned.is_unknown() && !config.is_unknown())
      return fail(p, "an object is unknown as a whole although it is configured; only its attributes may be");
    if (!blocks && config.is_unknown() && planned.is_known() && !planned.raw_equal(prior))
      return fail(p, "the configured value is not known yet, so the planned value must be unknown too");
    if (planned.kind() != Kind::Obj || config.kind() != Kind::Obj) return;
    for (const Attribute& a : attributes) {
      const Value *pl = planned.find_attr(a.name.sv()), *cf = config.find_attr(a.name.sv());
      const Value* pr = prior.kind() == Kind::Obj ? prior.find_attr(a.name.sv()) : nullptr;
      if (pl && cf)
        planned_attribute(extend(p, PathStep::of_attr(a.name)), a, pr ? *pr : Value::null(a.type), *cf, *pl);
    }
    if (!blocks) return;
    for (const NestedBlock& b : *blocks) {
      const Value *pl = planned.find_attr(b.type_name.sv()), *cf = config.find_attr(b.type_name.sv());
      const Value* pr = prior.kind() == Kind::Obj ? prior.find_attr(b.type_name.sv()) : nullptr;
      const size_t before = out_.size();
      if (pl && cf)
        planned_nested(extend(p, PathStep::of_attr(b.type_name)), b.nesting, b.block->attributes,
                       &b.block->blocks, pr ? *pr : Value(), *cf, *pl, true);
      if (b.block->computed && out_.size() > before) out_.back().second += kNoComputedBlocks;
    }
  }

  void planned_attribute(const Path& p, const Attribute& a, const Value& prior, const Value& config,
                         const Value& planned) {
    if (a.write_only) {
      if (!planned.is_null()) fail(p, "the attribute is write-only, so its planned value must be null");
      return;
    }
    if (!config.is_null() && planned.raw_equal(config)) return;
    if (planned.raw_equal(prior) && !prior.is_null()) {
      if (config.is_null() && !a.computed) fail(p, kNotComputed);
      return;
    }
    if (config.is_null()) {
      if (!a.computed && !planned.is_null()) fail(p, kNotComputed);
      return;
    }
    if (a.nested && config.is_known())
      return planned_nested(p, a.nested->nesting, a.nested->attributes, nullptr, prior, config, planned,
                            false);
    if (config.is_unknown()) {
      if (planned.is_known())
        fail(p, "the configured value is not known yet, so the planned value must be unknown too");
      return;
    }
    if (!config
             .is_wholly_known()) {  // a collection with unknown parts: the same ones are unknown in the plan
      size_t before = out_.size();
      compatible(p, config, planned, false);
      if (out_.size() != before) return;
      Violations decided;
      Checker(decided).compatible(p, planned, config, false);
      for (const auto& [path, message] : decided)
        fail(path, "the configured value is not known yet, so the planned value must be unknown too");
      return;
    }
    fail(p, "the planned value is neither the configured nor the prior one");
  }

  void planned_nested(const Path& p, Nesting nesting, const std::vector<Attribute>& attributes,
                      const std::vector<NestedBlock>* blocks, const Value& prior, const Value& config,
                      const Value& planned, bool is_block) {
    if (config.is_unknown()) return;
    if (planned.is_unknown())
      return fail(p, "the planned value is unknown although the configured blocks are known");
    if (is_one(nesting)) return planned_object(p, attributes, blocks, prior, config, planned);
    if (planned.is_null() || config.is_null()) {
      if (planned.is_null() != config.is_null())
        fail(p, is_block ? "a block collection must be empty rather than null"
                         : "it is null in either the configuration or the plan, but not in both");
      return;
    }
    if (nesting == Nesting::Set && is_block) {  // elements cannot be paired, and some may turn out alike
      for (const Value& e : planned.elements())
        if (e.is_unknown()) fail(p, "an element is unknown as a whole; only its attributes may be");
      return;
    }
    bool by_key = nesting == Nesting::Map;
    if (!by_key && planned.length() != config.length())
      return fail(
          p, fmt::format("{} elements are planned but {} are configured", planned.length(), config.length()));
    if (nesting == Nesting::Set) return;
    if (nesting == Nesting::List) {
      for (size_t i = 0; i < planned.length(); ++i) {
        bool paired = prior.kind() == Kind::Seq && i < prior.length();
        planned_object(extend(p, PathStep::of_index(Value::number(static_cast<int64_t>(i)))), attributes,
                       blocks, paired ? prior.elements()[i] : Value(), config.elements()[i],
                       planned.elements()[i]);
      }
      return;
    }
    auto key_of = [](const Value& v, size_t i) {
      return v.kind() == Kind::Map ? v.map_key(i) : v.type().attr_names()[i].sv();
    };
    auto at = [](const Value& v, std::string_view key) {
      return v.kind() == Kind::Map ? v.find_key(key) : v.kind() == Kind::Obj ? v.find_attr(key) : nullptr;
    };
    for (size_t i = 0; i < planned.length(); ++i)
      if (std::string_view key = key_of(planned, i); !at(config, key))
        fail(extend(p, PathStep::of_index(Value::string(key))), "the planned element is not configured");
    for (size_t i = 0; i < config.length(); ++i) {
      std::string_view key = key_of(config, i);
      const Value *pl = at(planned, key), *pr = at(prior, key);
      Path here = extend(p, PathStep::of_index(Value::string(key)));
      if (pl)
        planned_object(here, attributes, blocks, pr ? *pr : Value(), config.elements()[i], *pl);
      else
        fail(here, "the configured element is missing from the plan");
    }
  }

  // ---- a later value against an earlier, partly unknown one
  void compatible(const Path& p, const Value& first, const Value& later, bool sets_may_shrink) {
    if (first.is_unknown()) return as_promised(p, first, later);
    if (later.is_unknown()) return fail(p, "the value was known, but is now unknown");
    if (first.is_null() || later.is_null()) {
      if (first.is_null() && !later.is_null()) fail(p, "the value was null, but no longer is");
      if (!first.is_null() && later.is_null()) fail(p, "the value was not null, but now is");
      return;
    }
    if (first.raw_equal(later)) return;
    if (first.kind() != later.kind())
      return fail(p,
                  fmt::format("the value was {}, but is now {}", with_article(first.type().friendly_name()),
                              with_article(later.type().friendly_name())));
    switch (first.kind()) {
      case Kind::Seq:
        return compatible_elements(p, first, later, sets_may_shrink);
      case Kind::Obj:
        return compatible_attributes(p, first, later, sets_may_shrink);
      case Kind::Map:
        return compatible_entries(p, first, later, sets_may_shrink);
      case Kind::Set:
        if (first.is_wholly_known()) return fail(p, "the elements have changed");
        if (later.length() > first.length())
          return fail(p, fmt::format("there are {} elements, more than the {} there were", later.length(),
                                     first.length()));
        return compatible_set(p, first, later);
      case Kind::Null:
      case Kind::Unknown:
      case Kind::Bool:
      case Kind::Int:
      case Kind::Num:
      case Kind::Str:
      case Kind::TypeVal:
        return fail(p, "the value has changed");
    }
  }

 private:
  // What was unknown against what was promised about it.
  void as_promised(const Path& p, const Value& first, const Value& later) {
    if (later.is_unknown()) return;
    const Refinement& r = first.refinement();
    if (r.not_null && later.is_null()) return fail(p, "the value was planned to be non-null, but is null");
    if (!first.type().is_dynamic() && !later.is_null() && later.type() != first.type() &&
        !first.type().has_dynamic())
      return fail(p, fmt::format("the value was planned to be {}, but is {}",
                                 with_article(first.type().friendly_name()),
                                 with_article(later.type().friendly_name())));
    if (later.is_string() && !r.prefix.empty() && later.as_string().substr(0, r.prefix.size()) != r.prefix)
      return fail(p, "the value does not have the planned prefix");
    if (later.is_number() &&
        ((r.has_lower && later.as_number() < r.lower) || (r.has_upper && later.as_number() > r.upper)))
      fail(p, "the value is outside of the planned bounds");
  }

  void compatible_elements(const Path& p, const Value& first, const Value& later, bool sets_may_shrink) {
    if (first.length() != later.length())
      return fail(
          p, fmt::format("there were {} elements, but there are now {}", first.length(), later.length()));
    for (size_t i = 0; i < first.length(); ++i)
      compatible(extend(p, PathStep::of_index(Value::number(static_cast<int64_t>(i)))), first.elements()[i],
                 later.elements()[i], sets_may_shrink);
  }

  void compatible_attributes(const Path& p, const Value& first, const Value& later, bool sets_may_shrink) {
    for (Symbol name : first.type().attr_names()) {
      if (const Value* l = later.find_attr(name.sv()))
        compatible(extend(p, PathStep::of_attr(name)), first.attr(name.sv()), *l, sets_may_shrink);
      else
        fail(extend(p, PathStep::of_attr(name)), "the attribute has disappeared");
    }
    for (Symbol name : later.type().attr_names())
      if (!first.find_attr(name.sv())) fail(extend(p, PathStep::of_attr(name)), "the attribute is new");
  }

  void compatible_entries(const Path& p, const Value& first, const Value& later, bool sets_may_shrink) {
    for (size_t i = 0; i < first.length(); ++i) {
      Path here = extend(p, PathStep::of_index(Value::string(first.map_key(i))));
      if (const Value* l = later.find_key(first.map_key(i)))
        compatible(here, first.elements()[i], *l, sets_may_shrink);
      else
        fail(here, "the element has disappeared");
    }
    for (size_t i = 0; i < later.length(); ++i)
      if (!first.find_key(later.map_key(i)))
        fail(extend(p, PathStep::of_index(Value::string(later.map_key(i)))), "the element is new");
  }

  // Which attributes of an element are decided; nothing for an element that is not an object.
  static std::vector<bool> decided(const Value& e) {
    std::vector<bool> out;
    if (e.kind() == Kind::Obj)
      for (const Value& a : e.elements()) out.push_back(a.is_wholly_known());
    return out;
  }
  // Elements of sets have no names, so a promised element is looked for by what was decided about it: every
  // promise must be kept by some element, and every element must keep some promise. Elements of one block
  // type leave the same few attributes open, so there are few groups, and each costs one pass.
  void compatible_set(const Path& p, const Value& first, const Value& later) {
    constexpr size_t kMaxGroups = 16;
    std::map<std::vector<bool>, std::vector<const Value*>> groups;
    for (const Value& e : first.elements()) {
      if (e.is_unknown() || (e.kind() != Kind::Obj && !e.is_wholly_known())) return;  // may be anything
      groups[decided(e)].push_back(&e);
    }
    if (groups.size() > kMaxGroups) return;
    std::vector<bool> explained(later.length());
    for (const auto& [known, promises] : groups) {
      auto key = [&known = known](const Value& e) {
        if (e.kind() != Kind::Obj) return e;
        std::vector<Value> parts;
        for (size_t i = 0; i < known.size() && i < e.length(); ++i)
          if (known[i]) parts.push_back(e.elements()[i]);
        return Value::tuple(std::move(parts));
      };
      struct Alike {
        Value key;
        std::vector<size_t> at;
        bool asked = false;
      };
      std::unordered_multimap<size_t, Alike> there;
      auto find = [&](const Value& k) -> Alike* {
        auto [from, to] = there.equal_range(k.hash());
        for (auto it = from; it != to; ++it)
          if (it->second.key.raw_equal(k)) return &it->second;
        return nullptr;
      };
      for (size_t i = 0; i < later.length(); ++i) {
        Value k = key(later.elements()[i]);
        if (Alike* a = find(k))
          a->at.push_back(i);
        else
          there.emplace(k.hash(), Alike{k, {i}});
      }
      for (const Value* e : promises) {
        Alike* a = find(key(*e));
        if (!a) return fail(p, "a planned element is missing");
        if (std::exchange(a->asked, true)) continue;
        for (size_t i : a->at) explained[i] = true;
      }
    }
    for (bool e : explained)
      if (!e) return fail(p, "there is an element that was not planned");
  }

  Violations& out_;
};

bool type_fits(Type declared, const Value& v) {
  if (declared.is_dynamic() || v.type() == declared) return true;
  if (!declared.has_dynamic()) return false;
  if (v.is_null() || v.is_unknown()) return v.type().is_dynamic() || v.type().kind() == declared.kind();
  switch (declared.kind()) {
    case TypeKind::List:
      if (!v.type().is_list() && !v.type().is_tuple()) return false;
      break;
    case TypeKind::Set:
      if (!v.type().is_set()) return false;
      break;
    case TypeKind::Map:
      if (!v.type().is_map() && !v.type().is_object()) return false;
      break;
    case TypeKind::Tuple:
      if (!v.type().is_tuple() || v.length() != declared.elements().size()) return false;
      for (size_t i = 0; i < v.length(); ++i)
        if (!type_fits(declared.elements()[i], v.elements()[i])) return false;
      return true;
    case TypeKind::Object: {
      if (!v.type().is_object() || v.length() != declared.elements().size()) return false;
      auto want = declared.attr_names(), have = v.type().attr_names();
      for (size_t i = 0; i < want.size(); ++i)
        if (want[i] != have[i] || !type_fits(declared.elements()[i], v.elements()[i])) return false;
      return true;
    }
    case TypeKind::Dynamic:
    case TypeKind::Bool:
    case TypeKind::Number:
    case TypeKind::String:
    case TypeKind::Capsule:
      return false;
  }
  for (const Value& e : v.elements())
    if (!type_fits(declared.element(), e)) return false;
  return true;
}

}  // namespace

Violations check_write_only(const schema::Block& s, const Value& v) {
  Violations out;
  Value stripped = schema::strip_write_only(v, s);
  if (stripped.raw_equal(v)) return out;
  walk_value(v, [&](const Path& p, const Value& e) {
    std::optional<Value> kept = path_get(stripped, p);
    if (kept && kept->raw_equal(e)) return false;
    if (kept && !kept->is_null()) return true;
    out.emplace_back(p, "the attribute is write-only, so it must be null");
    return false;
  });
  return out;
}

Violations check_conforms(const schema::Block& s, const Value& v) {
  Violations out;
  Type t = s.implied_type();
  if (v.is_null() || type_fits(t, v)) return check_write_only(s, v);
  if (!v.type().is_object()) {
    out.emplace_back(Path(), fmt::format("an object is required, but the value is {}",
                                         with_article(v.type().friendly_name())));
    return out;
  }
  for (size_t i = 0; i < t.attr_names().size() && v.kind() == Kind::Obj; ++i) {
    Symbol name = t.attr_names()[i];
    const Value* a = v.find_attr(name.sv());
    if (!a)
      out.push_back({{PathStep::of_attr(name)}, "the attribute is missing"});
    else if (!type_fits(t.elements()[i], *a))
      out.push_back(
          {{PathStep::of_attr(name)},
           fmt::format("{} is required, but the value is {}", with_article(t.elements()[i].friendly_name()),
                       with_article(a->type().friendly_name()))});
  }
  if (v.kind() == Kind::Obj)
    for (Symbol name : v.type().attr_names())
      if (t.find_attr(name) < 0)
        out.push_back({{PathStep::of_attr(name)}, "the schema has no such attribute"});
  if (out.empty()) out.emplace_back(Path(), "the value is not of the schema's type");
  return out;
}

Violations check_planned(const schema::Block& s, const Value& prior, const Value& config,
                         const Value& planned) {
  Violations out;
  Checker(out).planned_object({}, s.attributes, &s.blocks, prior, config, planned);
  return out;
}

Violations check_compatible(const schema::Block&, const Value& planned, const Value& actual) {
  Violations out;
  Checker(out).compatible({}, planned, actual, true);
  return out;
}

std::vector<Path> unknown_paths(const Value& v) {
  std::vector<Path> out;
  walk_value(v, [&](const Path& p, const Value& e) {
    if (e.is_unknown()) out.push_back(p);
    return !e.is_wholly_known();
  });
  return out;
}

std::vector<Path> filter_requires_replace(const std::vector<Path>& paths, const Value& prior,
                                          const Value& planned, std::vector<Path>* nonexistent) {
  std::vector<Path> out;
  std::unordered_set<std::string> seen;  // elements of a set have the path of the set
  for (const Path& p : paths) {
    if (!seen.insert(path_text(p)).second) continue;
    auto before = path_get(prior, p), after = path_get(planned, p);
    if (!before && !after) {
      if (nonexistent) nonexistent->push_back(p);
      continue;
    }
    if (!before || !after || !after->is_wholly_known() || !before->raw_equal(*after)) out.push_back(p);
  }
  return out;
}

}  // namespace xplan
