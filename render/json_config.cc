// Writes the "configuration" member of plan JSON: modules, resources, variables, outputs and calls.
// Expressions are in json_expressions.cc, provider keys in json_providers.cc.
#include "render/json_config.h"

#include <algorithm>

#include "core/config/dialect.h"
#include "core/value/json.h"
#include "render/json_expressions.h"
#include "render/json_providers.h"
#include "render/json_state.h"

namespace xplan::render {
namespace {

template <class T, class Name>
std::vector<const T*> sorted(const std::vector<T>& items, Name name) {
  std::vector<const T*> out;
  out.reserve(items.size());
  for (const T& i : items) out.push_back(&i);
  std::sort(out.begin(), out.end(), [&](const T* a, const T* b) { return name(*a) < name(*b); });
  return out;
}

void write_depends_on(const std::vector<const syntax::Traversal*>& list, JsonWriter& w) {
  if (list.empty()) return;
  w.key("depends_on");
  w.begin_array();
  for (const syntax::Traversal* t : list) w.string(subject_text(*t));
  w.end_array();
}

// count wins: for_each is shown only where there is no count.
void write_repetition(const syntax::Expr* count, const syntax::Expr* for_each, JsonWriter& w) {
  if (has_expression(count)) {
    w.key("count_expression");
    write_expression(*count, w);
  } else if (has_expression(for_each)) {
    w.key("for_each_expression");
    write_expression(*for_each, w);
  }
}

enum class Expressions : uint8_t { Shown, Hidden };

// What OpenTofu tells besides of a variable or an output.
void write_additions(const auto& declared, JsonWriter& w) {
  if (config::dialect() != config::Dialect::OpenTofu) return;
  if (declared.ephemeral) w.member("ephemeral", true);
  if (!declared.deprecated.empty()) w.member("deprecated", declared.deprecated);
}

// As types are written everywhere, with the names of what an object may leave out behind its attributes.
void write_constraint(const TypeConstraint& c, JsonWriter& w) {
  if (!c.has_optional()) return w.raw(c.type.json());
  w.begin_array();
  w.string(c.type.is_object()  ? "object"
           : c.type.is_tuple() ? "tuple"
           : c.type.is_list()  ? "list"
           : c.type.is_set()   ? "set"
                               : "map");
  if (c.type.is_collection()) {
    write_constraint(c.children[0], w);
    return w.end_array();
  }
  c.type.is_object() ? w.begin_object() : w.begin_array();
  for (size_t i = 0; i < c.type.elements().size(); ++i) {
    if (c.type.is_object()) w.key(c.type.attr_names()[i].sv());
    c.children.empty() ? w.raw(c.type.elements()[i].json()) : write_constraint(c.children[i], w);
  }
  c.type.is_object() ? w.end_object() : w.end_array();
  if (std::find(c.optional.begin(), c.optional.end(), true) != c.optional.end()) {
    w.begin_array();
    for (size_t i = 0; i < c.optional.size(); ++i)
      if (c.optional[i]) w.string(c.type.attr_names()[i].sv());
    w.end_array();
  }
  w.end_array();
}

void write_output(const config::Output& o, Expressions expressions, JsonWriter& w) {
  w.begin_object();
  if (o.sensitive) w.member("sensitive", true);
  write_additions(o, w);
  if (expressions == Expressions::Shown) {
    w.key("expression");
    if (o.expr)
      write_expression(*o.expr, w);
    else
      w.raw("{}");
  }
  write_depends_on(o.depends_on, w);
  if (!o.description.empty()) w.member("description", o.description);
  w.end_object();
}

void write_resource(const config::Resource& r, const std::string& provider_key, Expressions expressions,
                    JsonWriter& w) {
  w.begin_object();
  w.member("address", r.addr.text());
  w.member("mode", mode_name(r.addr.mode));
  w.member("type", r.addr.type.sv());
  w.member("name", r.addr.name.sv());
  w.member("provider_config_key", provider_key);
  if (!r.provisioners.empty()) {
    w.key("provisioners");
    w.begin_array();
    for (const config::Provisioner& p : r.provisioners) {
      w.begin_object();
      w.member("type", p.type.sv());
      const schema::Block* schema = config::provisioner_schema(p.type);
      if (schema && expressions == Expressions::Shown && has_expressions(p.body, *schema))
        w.key("expressions"), write_expressions(p.body, *schema, w);
      w.end_object();
    }
    w.end_array();
  }
  if (r.schema) {
    if (has_expressions(r.body, r.schema->block))
      w.key("expressions"), write_expressions(r.body, r.schema->block, w);
    w.member("schema_version", static_cast<int64_t>(r.schema->version));
  }
  if (expressions == Expressions::Shown) write_repetition(r.count, r.for_each, w);
  write_depends_on(r.depends_on, w);
  w.end_object();
}

int mode_rank(Mode m) {
  return m == Mode::Managed ? 0 : m == Mode::Data ? 1 : 2;
}

// outputs and resources: what stands before the calls.
void write_head(const config::Node& n, const ProviderKeys& providers, const ResourceSet& left_out,
                Expressions expressions, JsonWriter& w) {
  const config::Module& m = *n.module;
  if (!m.outputs.empty()) {
    w.key("outputs");
    w.begin_object();
    for (const config::Output* o : sorted(m.outputs, [](const config::Output& o) { return o.name.sv(); }))
      w.key(o->name.sv()), write_output(*o, expressions, w);
    w.end_object();
  }
  auto shown = [&](const config::Resource& r) {
    return r.addr.mode != Mode::Ephemeral && (n.parent || !left_out.contains(r.addr));
  };
  if (std::none_of(m.resources.begin(), m.resources.end(), shown)) return;
  w.key("resources");
  w.begin_array();
  for (const config::Resource* r : sorted(m.resources, [](const config::Resource& r) {
         return std::pair(mode_rank(r.addr.mode), r.addr.text());
       }))
    if (shown(*r)) write_resource(*r, providers.key(n, *r), expressions, w);
  w.end_array();
}

// variables: what stands behind them.
void write_tail(const config::Module& m, JsonWriter& w) {
  if (m.variables.empty()) return;
  w.key("variables");
  w.begin_object();
  for (const config::Variable* v :
       sorted(m.variables, [](const config::Variable& v) { return v.name.sv(); })) {
    w.key(v->name.sv());
    w.begin_object();
    const bool told = config::dialect() == config::Dialect::OpenTofu;
    if (told && !v->type.type.is_dynamic()) w.key("type"), write_constraint(v->type, w);
    if (v->has_default) w.key("default"), write_json(w, v->default_value);
    if (!v->description.empty()) w.member("description", v->description);
    if (told && v->required()) w.member("required", true);
    if (v->sensitive) w.member("sensitive", true);
    write_additions(*v, w);
    w.end_object();
  }
  w.end_object();
}

void write_arguments(const config::ModuleCall& call, const config::Module* child, JsonWriter& w) {
  std::vector<const syntax::Attribute*> known;
  for (const syntax::Attribute* a :
       sorted(call.arguments, [](const syntax::Attribute& a) { return a.name.sv(); }))
    if (a->expr && (!child || child->find_variable(a->name) >= 0)) known.push_back(a);
  if (known.empty()) return;
  w.key("expressions");
  w.begin_object();
  for (const syntax::Attribute* a : known) w.key(a->name.sv()), write_expression(*a->expr, w);
  w.end_object();
}

struct Frame {
  const config::Node* node;
  std::vector<size_t> calls;  // sorted by name
  size_t next = 0;
};

}  // namespace

void write_config_json(const config::Config& config, JsonWriter& w, const ResourceSet& left_out) {
  w.begin_object();
  const ProviderKeys providers(config);
  if (!providers.empty()) w.key("provider_config"), providers.write(w);
  w.key("root_module");
  if (!config.root || !config.root->module) {
    w.raw("{}");
    w.end_object();
    return;
  }
  // An explicit stack: calls may be nested deeper than the call stack allows.
  std::vector<Frame> stack;
  auto open = [&](const config::Node& n) {
    Frame f{&n, {}, 0};
    for (size_t i = 0; i < n.module->calls.size(); ++i) f.calls.push_back(i);
    std::sort(f.calls.begin(), f.calls.end(), [&](size_t a, size_t b) {
      return n.module->calls[a].name.sv() < n.module->calls[b].name.sv();
    });
    w.begin_object();
    write_head(n, providers, left_out, Expressions::Shown, w);
    if (!f.calls.empty()) w.key("module_calls"), w.begin_object();
    stack.push_back(std::move(f));
  };
  auto end_call = [&](const config::ModuleCall& call, const std::string& version) {
    if (!version.empty()) w.member("version_constraint", version);
    write_depends_on(call.depends_on, w);
    w.end_object();
  };
  open(*config.root);
  while (!stack.empty()) {
    Frame& f = stack.back();
    const config::Node& n = *f.node;
    if (f.next < f.calls.size()) {
      const size_t index = f.calls[f.next++];
      const config::ModuleCall& call = n.module->calls[index];
      const config::Node* child = index < n.children.size() ? n.children[index].get() : nullptr;
      w.key(call.name.sv());
      w.begin_object();
      const std::string& source = child ? child->from.source : call.source;
      if (!source.empty()) w.member("source", source);
      write_arguments(call, child ? child->module : nullptr, w);
      write_repetition(call.count, call.for_each, w);
      w.key("module");
      if (child) {
        open(*child);
      } else {
        w.raw("{}");
        end_call(call, call.version);
      }
      continue;
    }
    if (!f.calls.empty()) w.end_object();
    write_tail(*n.module, w);
    w.end_object();
    stack.pop_back();
    if (!stack.empty()) end_call(*n.call, n.from.version);
  }
  w.end_object();
}

void write_module_json(const config::Config& config, JsonWriter& w) {
  const config::Module& m = *config.root->module;
  const ProviderKeys providers(config);
  w.begin_object();
  if (!providers.empty()) w.key("provider_config"), providers.write(w);
  w.key("root_module");
  w.begin_object();
  write_head(*config.root, providers, {}, Expressions::Hidden, w);
  if (!m.calls.empty()) {
    w.key("module_calls");
    w.begin_object();
    for (const config::ModuleCall* call :
         sorted(m.calls, [](const config::ModuleCall& c) { return c.name.sv(); })) {
      w.key(call->name.sv());
      w.begin_object();
      if (!call->source.empty()) w.member("source", call->source);
      if (!call->version.empty()) w.member("version_constraint", call->version);
      write_depends_on(call->depends_on, w);
      w.end_object();
    }
    w.end_object();
  }
  write_tail(m, w);
  w.end_object();
  w.end_object();
}

}  // namespace xplan::render
