// The review half of a whole plan: changes, drift, outputs, deferred changes, and the state that it starts
// from.
#include "core/review/redact.h"

#include "core/plan/objects.h"
#include "core/review/attributes.h"

namespace xplan::review {
namespace {

Type type_of(const schema::Schema* schema) {
  return schema ? schema->block.implied_type() : Type::dynamic();
}

}  // namespace

void Redactor::change(Change& c, const schema::Schema* schema) {
  c.before = value(schema::mark_sensitive(c.before, schema), type_of(schema));
  c.after = value(schema::mark_sensitive(c.after, schema), type_of(schema));
  c.import_identity = value(c.import_identity, c.import_identity.type());
}

void Redactor::changes(std::vector<ResourceChange>& all) {
  for (ResourceChange& c : all) {
    change(c.change, c.schema.get());
    c.private_data.clear();
  }
}

// Without its schema, an object cannot be told to have no secrets: nothing of it is kept.
ObjectPtr Redactor::object(const Object& o, const AbsInstance& addr, const schema::Schema* schema) {
  Object out;
  out.status = o.status;
  out.dependencies = o.dependencies;
  out.identity = o.identity;
  static_cast<RecordedLifecycle&>(out) = o;
  Diagnostics unreadable;
  std::optional<Value> v;
  if (schema) v = o.value ? o.value : recorded_value(o, addr, *schema, unreadable);
  if (!v) {
    out.schema_version = schema ? schema->version : o.schema_version;
    out.attributes_json = "{}";
    return std::make_shared<const Object>(std::move(out));
  }
  out.schema_version = schema->version;
  out.value = value(schema::mark_sensitive(*v, schema), type_of(schema));
  out.sensitive_paths = marked_paths(*out.value);
  return std::make_shared<const Object>(std::move(out));
}

State Redactor::state(const State& s, const schema::Lookup& schemas) {
  State out = s;
  for (auto& [name, output] : out.outputs)
    if (output.sensitive)
      output.value = value(output.value.with_marks(kSensitive), Type::dynamic()).unmark_deep();
  for (auto& [addr, resource] : out.resources) {
    const schema::SchemaPtr schema =
        schemas ? schemas(resource.provider.provider, addr.resource.mode, addr.resource.type) : nullptr;
    for (auto& [key, instance] : resource.instances) {
      const AbsInstance of{addr.module, addr.resource, key};
      if (instance.current) instance.current = object(*instance.current, of, schema.get());
      for (auto& [deposed, o] : instance.deposed) o = object(*o, of, schema.get());
    }
  }
  return out;
}

// The plan has no marks on them.
void Redactor::remember_variables(const Plan& p, const config::Config& config) {
  for (const PlanVariable& v : p.variables) {
    const int i = config.root->module->find_variable(v.name);
    if (i < 0) continue;
    const config::Variable& declared = config.root->module->variables[i];
    if (declared.sensitive || declared.ephemeral) remember(v.value);
  }
  for (const auto& module : config.modules)
    for (const config::Variable& v : module->variables)
      if ((v.sensitive || v.ephemeral) && v.has_default) remember(v.default_value);
}

void Redactor::hide(Change& c, Type declared) const {
  c.before = hidden(c.before, declared), c.after = hidden(c.after, declared);
  for (Value* v : {&c.import_identity, &c.before_identity, &c.after_identity}) *v = hidden(*v, v->type());
  c.import_id = hidden(c.import_id), c.generated_config = hidden(c.generated_config);
}

void Redactor::hide(ResourceChange& c) const {
  c.addr = hidden(c.addr), c.prev_addr = hidden(c.prev_addr);
  hide(c.change, type_of(c.schema.get()));
}

void Redactor::hide(std::vector<CheckResult>& checks) const {
  for (CheckResult& c : checks)
    for (CheckObject& o : c.objects) {
      o.object_addr = hidden_keys(o.object_addr);
      for (std::string& message : o.failure_messages) message = hidden(message);
    }
}

void Redactor::hide(State& s, const schema::Lookup& schemas) const {
  if (s.check_results) hide(*s.check_results);
  for (auto& [name, output] : s.outputs) output.value = hidden(output.value, Type::dynamic());
  State out = std::move(s);
  s = out;
  s.resources.clear();
  for (auto& [addr, resource] : out.resources) {
    const schema::SchemaPtr schema =
        schemas ? schemas(resource.provider.provider, addr.resource.mode, addr.resource.type) : nullptr;
    const Type declared = type_of(schema.get());
    for (auto& [key, instance] : resource.instances) {
      auto clean = [&](ObjectPtr& o) {
        if (!o || !o->value) return;
        auto copy = std::make_shared<Object>(*o);
        copy->value = hidden(*o->value, declared);
        if (copy->identity)
          copy->identity = std::make_shared<const ObjectIdentity>(
              ObjectIdentity{copy->identity->version, hidden(copy->identity->json)});
        o = std::move(copy);
      };
      clean(instance.current);
      for (auto& [deposed, o] : instance.deposed) clean(o);
      const AbsInstance at = hidden(AbsInstance{addr.module, addr.resource, key});
      ResourceState& into = s.resources[AbsResource{at.module, at.resource}];
      into.provider = resource.provider;
      into.instances[at.key] = std::move(instance);
    }
  }
}

void Redactor::hide(Plan& p) const {
  for (ResourceChange& c : p.changes) hide(c);
  for (ResourceChange& c : p.drift) hide(c);
  for (DeferredChange& c : p.deferred) hide(c.change);
  for (OutputChange& o : p.outputs) hide(o.change, Type::dynamic());
  for (NamedValue& n : p.named) {
    n.module = hidden(n.module);
    n.value = hidden(n.value, Type::dynamic());
    if (n.before) n.before = hidden(*n.before, Type::dynamic());
  }
  for (RepeatedChange& r : p.repeated)
    r.addr = hidden(r.addr), r.returned = hidden(r.returned, Type::dynamic());
  for (RelevantAttribute& r : p.relevant_attributes) r.addr = hidden(r.addr);
  hide(p.checks);
  for (std::vector<std::string>* texts : {&p.targets, &p.excludes, &p.force_replace})
    for (std::string& text : *texts) text = hidden_keys(text);
  p.build_index();
}

Plan Redactor::plan(const Plan& p, const config::Config& config, const schema::Lookup& schemas) {
  Plan out = p;
  out.review.emplace();
  remember_variables(p, config);
  for (PlanVariable& v : out.variables) v.value = Value();  // where they were set stays
  out.file_reads.clear();
  out.call_results.clear();
  out.backend_config_json.clear();
  changes(out.changes);
  changes(out.drift);
  for (DeferredChange& d : out.deferred) {
    change(d.change.change, d.change.schema.get());
    d.change.private_data.clear();
  }
  for (OutputChange& o : out.outputs) {
    const Marks secret = o.sensitive || o.was_sensitive ? kSensitive : Marks{0};
    for (Value* v : {&o.change.before, &o.change.after}) *v = value(v->with_marks(secret), Type::dynamic());
    if (secret)
      for (Value* v : {&o.change.before, &o.change.after}) *v = v->without_own_marks();
  }
  for (RepeatedChange& r : out.repeated) r.returned = value(r.returned, Type::dynamic());
  for (NamedValue& n : out.named) {  // of secrets, only the types are there, which may have names in them
    n.value = value(n.value, Type::dynamic());
    if (n.before) n.before = value(*n.before, Type::dynamic());
  }
  out.prior_state = state(p.prior_state, schemas);
  hide(out);
  hide(out.prior_state, schemas);
  out.prev_run_state = State{};
  // The lineage stays with those who may read the state: the digest's secrets are stretched with it.
  out.prior_state.lineage.clear(), out.prev_run_state.serial = p.prev_run_state.serial;
  return out;
}

}  // namespace xplan::review
