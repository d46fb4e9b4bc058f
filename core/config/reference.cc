// The rules of references: what each root name (var, local, each, count, self, path, data, module …) may be
// followed by, whether it is declared, which attributes exist, and suggestions for near names.
#include "core/config/reference.h"

#include <algorithm>

#include "core/config/decode.h"
#include "core/config/dialect.h"
#include "core/config/functions.h"
#include "core/config/providers.h"

namespace xplan::config {

using syntax::Traversal;
using syntax::TraversalStep;

namespace {

constexpr int kMaxSuggestions = 100;  // a search is linear in the names, so errors by the thousand get none

std::string_view root_text(const Traversal& t) {
  return t.root.sv();
}

// What was meant by "lcoal.x" or "variable.x"; empty: nothing that does not name a resource.
std::string_view meant_root(const Traversal& t) {
  if (t.root.sv() == "variable" || t.root.sv() == "variables") return "var";
  return did_you_mean(t.root.sv(), {"var", "local", "module", "data", "each", "count", "self", "path",
                                    "terraform", "resource", "ephemeral"});
}

// ".a.b", from a step up to the first index.
std::string names_from(const Traversal& t, size_t step) {
  std::string out;
  for (; step < t.steps.size() && t.steps[step].is_attr; ++step)
    out.append(".").append(t.steps[step].attr.sv());
  return out;
}

// What stands in brackets, where it is a key.
void take_key(const TraversalStep& s, Reference& r) {
  if (s.index.is_string()) {
    r.key = InstanceKey::of(Symbol(s.index.as_string()));
    r.has_key = true;
  } else if (s.index.is_number()) {
    if (std::optional<int64_t> n = s.index.as_number().exact_int64()) {
      r.key = InstanceKey::of(*n);
      r.has_key = true;
    }
  }
}

}  // namespace

Reference ReferenceParser::fail(std::string_view summary, std::string detail, Range where) {
  diags_->error(summary, std::move(detail), where);
  return {};
}

template <class List>
std::string ReferenceParser::hint(Symbol given, const List& list) {
  if (++suggestions_ > kMaxSuggestions) return {};
  std::vector<std::string_view> names;
  names.reserve(list.size());
  for (const auto& x : list) names.push_back(x.name.sv());
  return suggestion(given.sv(), names);
}

std::string ReferenceParser::attribute_hint(std::string_view name, const schema::Block& block) {
  if (++suggestions_ > kMaxSuggestions) return {};
  std::vector<std::string_view> names;
  for (const schema::Attribute& a : block.attributes) names.push_back(a.name.sv());
  for (const schema::NestedBlock& b : block.blocks) names.push_back(b.type_name.sv());
  return suggestion(name, names);
}

Reference ReferenceParser::parse(const Traversal& t, const RefScope& scope) {
  const std::string_view root = root_text(t);
  Reference r;
  if (const std::optional<Reference> of_test = scope.test ? given(t) : std::nullopt)
    r = *of_test;
  else if (root == "var")
    r = named(t, RefKind::Variable);
  else if (root == "local")
    r = named(t, RefKind::Local);
  else if (root == "module")
    r = module_call(t, scope);
  else if (root == "data")
    r = resource(t, scope, Mode::Data, true);
  else if (root == "ephemeral")
    r = resource(t, scope, Mode::Ephemeral, true);
  else if (root == "resource")
    r = resource(t, scope, Mode::Managed, true);
  else if (root == "self")
    r = self(t, scope);
  else if (root == "path" || names_product(root) || root == "count" || root == "each")
    r = fixed(t, scope);
  else
    r = resource(t, scope, Mode::Managed, false);
  r.traversal = &t;
  return r;
}

// Whether a name is declared depends on the run.
std::optional<Reference> ReferenceParser::given(const Traversal& t) const {
  static constexpr std::pair<std::string_view, GivenName> kNames[] = {
      {"run", GivenName::Run}, {"var", GivenName::Var}, {"output", GivenName::Output}};
  for (const auto& [root, name] : kNames) {
    if (root_text(t) != root) continue;
    Reference r;
    r.kind = RefKind::Given;
    r.index = static_cast<uint32_t>(name);
    return r;
  }
  return std::nullopt;
}

Reference ReferenceParser::named(const Traversal& t, RefKind kind) {
  const bool variable = kind == RefKind::Variable;
  if (t.steps.empty() || !t.steps[0].is_attr) {
    return fail(
        "Invalid reference",
        std::string(
            variable ? "\"var\" must be followed by a period and the name of an input variable: var.name."
                     : "\"local\" must be followed by a period and the name of a local value: local.name."),
        t.range);
  }
  const Symbol name = t.steps[0].attr;
  const int index = variable ? m_.find_variable(name) : m_.find_local(name);
  if (index < 0) {
    const Range where = cover(t.root_range, t.steps[0].range);
    if (variable) {
      return fail("Undeclared input variable",
                  "There is no input variable " + in_quotes(name.sv()) + " in this module." +
                      hint(name, m_.variables) + " Declare it with a block: variable " +
                      in_quotes(name.sv()) + " {}.",
                  where);
    }
    return fail(
        "Undeclared local value",
        "There is no local value " + in_quotes(name.sv()) + " in this module." + hint(name, m_.locals),
        where);
  }
  Reference r;
  r.kind = kind;
  r.index = static_cast<uint32_t>(index);
  r.consumed = 1;
  return r;
}

Reference ReferenceParser::fixed(const Traversal& t, const RefScope& scope) {
  struct Row {
    std::string_view root, name;
    RefKind kind;
  };
  static constexpr Row kRows[] = {{"path", "module", RefKind::PathModule},
                                  {"path", "root", RefKind::PathRoot},
                                  {"path", "cwd", RefKind::PathCwd},
                                  {"terraform", "workspace", RefKind::Workspace},
                                  {"terraform", "applying", RefKind::Applying},
                                  {"tofu", "workspace", RefKind::Workspace},
                                  {"tofu", "applying", RefKind::Applying},
                                  {"count", "index", RefKind::CountIndex},
                                  {"each", "key", RefKind::EachKey},
                                  {"each", "value", RefKind::EachValue}};
  const std::string_view root = root_text(t);
  std::string all;
  std::vector<std::string_view> names;
  for (const Row& row : kRows) {
    if (row.root != root) continue;
    all += (all.empty() ? "" : ", ") + std::string(root) + "." + std::string(row.name);
    names.push_back(row.name);
  }
  if (names.size() > 1) all.replace(all.rfind(", "), 2, " and ");
  if (t.steps.empty() || !t.steps[0].is_attr) {
    return fail("Invalid reference",
                in_quotes(root) + " is not a value by itself. The available attributes are " + all + ".",
                t.range);
  }
  const std::string_view name = t.steps[0].attr.sv();
  const Range where = cover(t.root_range, t.steps[0].range);
  if (root == "terraform" && name == "env") {
    return fail("Unsupported attribute", "terraform.env no longer exists. Use terraform.workspace instead.",
                where);
  }
  for (const Row& row : kRows) {
    if (row.root != root || row.name != name) continue;
    if (root == "count" && !scope.count) {
      return fail("Reference to count outside of its block",
                  "count.index can be used only inside a resource, data or module block that has the "
                  "argument \"count\".",
                  where);
    }
    if (root == "each" && !scope.each) {
      return fail("Reference to each outside of its block",
                  std::string(row.kind == RefKind::EachKey ? "each.key" : "each.value") +
                      " can be used only inside a resource, data or module block that has the argument "
                      "\"for_each\", and "
                      "not in that argument itself.",
                  where);
    }
    Reference r;
    r.kind = row.kind;
    r.consumed = 1;
    return r;
  }
  const std::string_view near = did_you_mean(name, names);
  return fail("Unsupported attribute",
              "There is no " + std::string(root) + "." + std::string(name) + "." +
                  (near.empty()
                       ? (names.size() > 1 ? " The available attributes are " : " There is only ") + all + "."
                       : " Did you mean " + std::string(root) + "." + std::string(near) + "?"),
              where);
}

Reference ReferenceParser::self(const Traversal& t, const RefScope& scope) {
  if (!scope.self) {
    return fail("Invalid reference to self",
                "\"self\" refers to an object that already exists, so it can be used only in provisioner, "
                "connection and postcondition blocks. "
                "To refer to another object, use its address; to test the result of this one, use a "
                "postcondition.",
                t.range);
  }
  if (scope.owner && !t.steps.empty() && t.steps[0].is_attr && !check_attribute(t, 0, *scope.owner))
    return {};
  Reference r;
  r.kind = RefKind::Self;
  return r;
}

bool ReferenceParser::check_attribute(const Traversal& t, size_t step, const Resource& r) {
  if (!r.schema || step >= t.steps.size()) return true;
  const TraversalStep& s = t.steps[step];
  std::string_view name;
  if (s.is_attr)
    name = s.attr.sv();
  else if (s.index.is_string())
    name = s.index.as_string();
  else
    return true;
  const schema::Block& block = r.schema->block;
  if (block.find_attribute(name) || block.find_block(name)) return true;
  fail("Unsupported attribute",
       r.addr.text() + " has no argument, block or attribute " + in_quotes(name) + "." +
           attribute_hint(name, block),
       s.range);
  return false;
}

Reference ReferenceParser::undeclared_resource(const Traversal& t, const xplan::Resource& addr,
                                               const RefScope& scope) {
  std::string more;
  for (Mode mode : {Mode::Managed, Mode::Data, Mode::Ephemeral}) {
    const xplan::Resource other{mode, addr.type, addr.name};
    if (mode != addr.mode && m_.find_resource(other) >= 0) {
      more = " Did you mean " + other.text() + "?";
      break;
    }
  }
  const bool plain = addr.mode == Mode::Managed && t.root == addr.type &&
                     std::none_of(m_.resources.begin(), m_.resources.end(),
                                  [&](const Resource& r) { return r.addr.type == addr.type; });
  if (const std::string_view root = plain && more.empty() ? meant_root(t) : ""; !root.empty()) {
    more = " Did you mean " + std::string(root) + names_from(t, 0) + "?";
  }
  if (more.empty() && ++suggestions_ <= kMaxSuggestions) {
    std::vector<std::string> texts;
    for (const Resource& r : m_.resources) {
      if (r.addr.mode == addr.mode && &r != scope.owner) texts.push_back(r.addr.text());
    }
    std::vector<std::string_view> views(texts.begin(), texts.end());
    std::string_view near = did_you_mean(addr.text(), views);
    if (!near.empty()) more = " Did you mean " + std::string(near) + "?";
  }
  return fail("Undeclared resource", "There is no " + addr.text() + " in this module." + more, t.range);
}

Reference ReferenceParser::incomplete_resource(const Traversal& t, bool prefixed) {
  if (prefixed) {
    return fail("Invalid reference",
                in_quotes(root_text(t)) + " must be followed by the type and the name of a resource: " +
                    std::string(root_text(t)) + ".type.name.",
                t.range);
  }
  static const eval::FunctionTable functions = [] {
    eval::FunctionTable all;
    register_functions(all);
    return all;
  }();
  if (functions.find(root_text(t)))
    return fail("Invalid reference",
                in_quotes(root_text(t)) +
                    " is a function. To call it, add parentheses: " + std::string(root_text(t)) + "().",
                t.range);
  return fail("Invalid reference",
              in_quotes(root_text(t)) +
                  " alone is not a reference. A resource type must be followed by a period and the name of "
                  "the resource; a string must be in quotes.",
              t.range);
}

// What a resource's own block may say of it.
Reference ReferenceParser::own_resource(const Traversal& t, const RefScope& scope, size_t names) {
  const Resource& r = *scope.owner;
  if (scope.condition) return {};
  if (scope.provisioner && !r.count && !r.for_each) {
    if (!check_attribute(t, names, r)) return {};
    Reference own;
    own.kind = RefKind::Self;
    own.consumed = static_cast<uint32_t>(names);
    return own;
  }
  return fail(
      "Self reference",
      "The configuration of " + r.addr.text() +
          " cannot refer to the resource itself, because its values would be needed before they exist." +
          (scope.self ? " Use self instead." : ""),
      t.range);
}

// An attribute follows `name`, of which there are several. `is_key`: it does not exist, so it may be meant as
// the key of one of them.
Reference ReferenceParser::missing_key(const Traversal& t, size_t step, const std::string& name, bool counted,
                                       bool is_key) {
  const std::string own(t.steps[step].attr.sv()), rest = names_from(t, is_key ? step + 1 : step);
  const std::string key = counted ? "[0]" : is_key ? "[\"" + own + "\"]" : "[\"key\"]";
  return fail("Missing instance key",
              name + " has the argument " + (counted ? "\"count\"" : "\"for_each\"") +
                  ", so it can have any number of instances, and one of them must be selected: " + name +
                  key + rest + "." +
                  (rest.empty() ? ""
                                : " To refer to all of them, use " +
                                      (counted ? name + "[*]"
                                               : name + " in a for expression, or values(" + name + ")[*]") +
                                      rest + "."),
              cover(t.root_range, t.steps[step].range));
}

// The step behind a resource's name, which selects an instance where there can be several. The next step;
// nothing after an error.
std::optional<size_t> ReferenceParser::select_instance(const Traversal& t, size_t step, const Resource& r,
                                                       Reference& out) {
  if (step >= t.steps.size()) return step;
  const TraversalStep& s = t.steps[step];
  const bool repeated = r.count || r.for_each;
  if (!s.is_attr && !repeated) {
    fail("Unexpected instance key",
         r.addr.text() +
             " has neither \"count\" nor \"for_each\", so it has exactly one instance, which has no key. "
             "Remove the brackets.",
         s.range);
    return std::nullopt;
  }
  if (s.is_attr && repeated) {
    const std::string name = r.addr.text();
    const bool is_key = r.for_each && r.schema && !r.schema->block.find_attribute(s.attr.sv()) &&
                        !r.schema->block.find_block(s.attr.sv());
    missing_key(t, step, name, r.count != nullptr, is_key);
    return std::nullopt;
  }
  if (s.is_attr) return step;
  take_key(s, out);
  return step + 1;
}

Reference ReferenceParser::resource(const Traversal& t, const RefScope& scope, Mode mode, bool prefixed) {
  const size_t names = prefixed ? 2 : 1;  // steps up to and including the resource's name
  bool complete = t.steps.size() >= names;
  for (size_t i = 0; complete && i < names; ++i) complete = t.steps[i].is_attr;
  if (!complete) return incomplete_resource(t, prefixed);
  const xplan::Resource addr{mode, prefixed ? t.steps[0].attr : t.root, t.steps[names - 1].attr};
  const int index = m_.find_resource(addr);
  if (index < 0) return undeclared_resource(t, addr, scope);
  const Resource& r = m_.resources[static_cast<size_t>(index)];
  if (!r.check_scope.empty() && r.check_scope != scope.check) {
    return fail("Reference to scoped data",
                addr.text() + " is declared inside the check block " + in_quotes(r.check_scope.sv()) +
                    " and can be used only there. Declare it outside of the check to use it elsewhere.",
                t.range);
  }
  if (scope.owner == &r) return own_resource(t, scope, names);
  Reference out;
  out.kind = RefKind::Resource;
  out.index = static_cast<uint32_t>(index);
  out.consumed = static_cast<uint32_t>(names);
  const std::optional<size_t> next = select_instance(t, names, r, out);
  if (!next || (!scope.trigger && !check_attribute(t, *next, r))) return {};
  return out;
}

Reference ReferenceParser::module_call(const Traversal& t, const RefScope&) {
  if (t.steps.empty() || !t.steps[0].is_attr) {
    return fail("Invalid reference",
                "\"module\" must be followed by a period and the name of a module call: module.name.",
                t.range);
  }
  const Symbol name = t.steps[0].attr;
  const int index = m_.find_call(name);
  if (index < 0) {
    return fail("Undeclared module call",
                "There is no module call " + in_quotes(name.sv()) + " in this module." + hint(name, m_.calls),
                cover(t.root_range, t.steps[0].range));
  }
  Reference r;
  r.kind = RefKind::ModuleCall;
  r.index = static_cast<uint32_t>(index);
  r.consumed = 1;
  const ModuleCall& call = m_.calls[r.index];
  const Node* child = r.index < node_.children.size() ? node_.children[r.index].get() : nullptr;
  const std::string text = "module." + std::string(name.sv());
  const bool repeated = call.count || call.for_each;
  size_t next = 1;
  if (next < t.steps.size() && !t.steps[next].is_attr) {
    const TraversalStep& s = t.steps[next];
    if (repeated) {
      take_key(s, r);
      ++next;
    } else if (!s.index.is_string() ||
               (child && child->module->find_output(Symbol(s.index.as_string())) < 0)) {
      return r;  // an object of outputs, which does not have this key: try() may find that out
    }
  } else if (next < t.steps.size() && repeated) {
    const bool is_key = call.for_each && child && child->module->find_output(t.steps[next].attr) < 0;
    return missing_key(t, next, text, call.count != nullptr, is_key);
  }
  if (next >= t.steps.size()) return r;
  const TraversalStep& s = t.steps[next];
  Symbol output;
  if (s.is_attr)
    output = s.attr;
  else if (s.index.is_string())
    output = Symbol(s.index.as_string());  // module.m["out"] is module.m.out
  else
    return fail("Unsupported attribute",
                "A module call is an object whose attributes are the module's output values.", s.range);
  if (child && child->module->find_output(output) < 0) {
    return fail("Unsupported attribute",
                "The module " + in_quotes(name.sv()) + " has no output value " + in_quotes(output.sv()) +
                    "." + hint(output, child->module->outputs),
                s.range);
  }
  if (!repeated || r.has_key) r.output = output;
  return r;
}

// One name, of which quotes do not make an address; it may be that of a resource or a module call.
Reference ReferenceParser::lone_dependency(const Traversal& t) {
  const Symbol name = t.root;
  std::string meant;
  for (const Resource& r : m_.resources)
    if (meant.empty() && r.addr.name == name) meant = r.addr.text();
  for (const ModuleCall& call : m_.calls)
    if (meant.empty() && call.name == name) meant = "module." + std::string(name.sv());
  return fail("Invalid depends_on",
              in_quotes(name.sv()) +
                  " is not an address. Each element of depends_on must be the address of a resource or a "
                  "module call, without quotes: " +
                  (meant.empty() ? "type.name or module.name." : meant + "."),
              t.range);
}

Reference ReferenceParser::parse_depends_on(const Traversal& t, const RefScope& scope) {
  RefScope inner = scope;
  inner.owner = nullptr;  // to depend on oneself says nothing, but does no harm
  Reference r;
  const std::string_view root = root_text(t);
  if (root == "module" && t.steps.size() >= 2 && (t.steps.size() > 2 || t.steps[1].is_attr)) {
    return fail("Invalid depends_on",
                "Each element of depends_on must be a whole module, resource or other object, not a part of "
                "one. Remove everything after the name.",
                t.range);
  }
  const size_t names = root == "data" || root == "ephemeral" || root == "resource" ? 2 : 1;
  const bool is_resource =
      names == 2 || (root != "module" && root != "var" && root != "local" && root != "path" &&
                     !names_product(root) && root != "count" && root != "each" && root != "self");
  if (is_resource && t.steps.empty() && names == 1) return lone_dependency(t);
  if (is_resource && t.steps.size() > names) {
    const size_t whole = names + (t.steps[names].is_attr ? 0 : 1);
    if (t.steps.size() > whole) {
      return fail("Invalid depends_on",
                  "Each element of depends_on must be a whole resource, module or other object, not a part "
                  "of one. Remove everything after the name.",
                  t.range);
    }
  }
  if (!is_resource && root != "module" && t.steps.size() > 1) {
    return fail("Invalid depends_on",
                "Each element of depends_on must be a whole object, not a part of one. Remove everything "
                "after the name.",
                t.range);
  }
  r = parse(t, inner);
  r.traversal = &t;
  return r;
}

}  // namespace xplan::config
