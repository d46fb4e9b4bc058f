// Writes plan JSON: resource_changes, planned_values, drift, outputs, variables, checks, in the reference
// tools' member order. State parts are in json_state.cc, configuration in json_config.cc.
#include "render/json_plan.h"

#include <algorithm>
#include <map>

#include "core/config/version.h"
#include "core/value/json.h"
#include "render/json_config.h"
#include "render/json_shape.h"

namespace xplan::render {
namespace {

void write_actions(Action a, JsonWriter& w) {
  w.key("actions");
  w.begin_array();
  for (std::string_view name : facts(a).json)
    if (!name.empty()) w.string(name);
  w.end_array();
}

// actions, before, after, after_unknown: alike for resources and outputs, but for `known`, which stands for
// "nothing is unknown".
void write_values(const Change& c, std::string_view known, JsonWriter& w) {
  write_actions(c.action, w);
  w.key("before");
  write_json(w, c.before);
  if (c.after.is_known()) w.key("after"), write_known_part(c.after, w);
  w.key("after_unknown");
  if (c.after.is_wholly_known())
    w.raw(known);
  else
    write_unknown_shape(c.after, w);
}

void write_change(const ResourceChange& c, bool deferred, JsonWriter& w) {
  w.begin_object();
  w.member("address", c.addr.text());
  if (c.moved()) w.member("previous_address", c.prev_addr.text());
  if (!c.addr.module.is_root()) w.member("module_address", c.addr.module.text());
  w.member("mode", mode_name(c.addr.resource.mode));
  w.member("type", c.addr.resource.type.sv());
  w.member("name", c.addr.resource.name.sv());
  if (!c.addr.key.none() && !c.addr.key.is_unknown()) w.key("index"), write_instance_key(c.addr.key, w);
  if (c.addr.partial()) w.member("index_unknown", true);
  w.member("provider_name", c.provider.provider.text());
  if (!c.deposed.empty()) w.member("deposed", c.deposed);
  if (c.unverified) w.member("unverified", true);
  w.key("change");
  w.begin_object();
  write_values(c.change, "{}", w);
  w.key("before_sensitive");
  write_sensitive_shape(schema::mark_sensitive(c.change.before, c.schema.get()), w);
  w.key("after_sensitive");
  write_sensitive_shape(schema::mark_sensitive(c.change.after, c.schema.get()), w);
  if (!c.required_replace.empty()) {
    w.key("replace_paths");
    w.begin_array();
    for (const Path& p : c.required_replace) write_path(p, w);
    w.end_array();
  }
  if (c.change.importing) {
    w.key("importing");
    w.begin_object();
    if (!c.change.import_id.empty())
      w.member("id", c.change.import_id);
    else if (!c.change.import_identity.is_null())
      w.key("identity"), write_json(w, c.change.import_identity);
    else if (deferred)
      w.member("unknown", true);
    w.end_object();
  }
  if (!c.change.generated_config.empty()) w.member("generated_config", c.change.generated_config);
  for (const auto& [key, identity] :
       {std::pair<const char*, const Value&>{"before_identity", c.change.before_identity},
        {"after_identity", c.change.after_identity}})
    if (!identity.is_null()) w.key(key), write_known_part(identity, w);
  w.end_object();
  if (c.reason != Reason::None) w.member("action_reason", facts(c.reason).name);
  w.end_object();
}

bool has_entry(const ResourceChange& c) {
  // Data sources that leave the state do not concern readers.
  return !(c.addr.resource.mode == Mode::Data && c.change.action == Action::Delete);
}

void write_variables(const Plan& plan, const config::Config& config, JsonWriter& w) {
  if (plan.review) return;  // it has no values
  // A given value of an ephemeral variable is in no plan; its default is in the configuration anyway.
  std::map<Symbol, const Value*, SymbolTextLess> values;
  for (const PlanVariable& v : plan.variables)
    if (!v.ephemeral && !v.from_default) values[v.name] = &v.value;
  if (config.root && config.root->module)
    for (const config::Variable& v : config.root->module->variables)
      if (v.has_default) values.emplace(v.name, &v.default_value);
  if (values.empty()) return;
  w.key("variables");
  w.begin_object();
  for (const auto& [name, value] : values) {
    w.key(name.sv());
    w.begin_object();
    w.key("value");
    write_json(w, *value);
    w.end_object();
  }
  w.end_object();
}

// Whether any attribute of an object is known: an object without any has no values.
bool has_known_part(const Value& v) {
  if (v.is_null() || v.is_unknown()) return false;
  auto parts = v.elements();
  return std::any_of(parts.begin(), parts.end(), [](const Value& x) { return x.is_known(); });
}

void write_planned_resource(const ResourceChange& c, JsonWriter& w) {
  w.begin_object();
  w.member("address", c.addr.text());
  w.member("mode", mode_name(c.addr.resource.mode));
  w.member("type", c.addr.resource.type.sv());
  w.member("name", c.addr.resource.name.sv());
  if (!c.addr.key.none()) w.key("index"), write_instance_key(c.addr.key, w);
  w.member("provider_name", c.provider.provider.text());
  w.member("schema_version", static_cast<int64_t>(c.schema ? c.schema->version : 0));
  if (has_known_part(c.change.after)) w.key("values"), write_known_part(c.change.after, w);
  w.key("sensitive_values");
  write_sensitive_shape(c.change.after, w);
  w.end_object();
}

void write_planned_values(const Plan& plan, JsonWriter& w) {
  w.key("planned_values");
  w.begin_object();
  bool outputs = false;
  for (const OutputChange& o : plan.outputs) {
    if (o.change.action == Action::Delete) continue;
    if (!outputs) w.key("outputs"), w.begin_object();
    outputs = true;
    w.key(o.name.sv());
    w.begin_object();
    w.member("sensitive", o.sensitive || o.was_sensitive);
    if (o.change.after.is_wholly_known()) {
      w.key("type");
      bool was_null =
          o.change.action == Action::NoOp && o.change.after.is_null();  // and says nothing of its type
      w.raw((was_null ? Type::dynamic() : o.change.after.type()).json());
      w.key("value");
      write_json(w, o.change.after);
    }
    w.end_object();
  }
  if (outputs) w.end_object();
  // Inside of a module, resources are sorted by the text of their address.
  struct Named {
    std::string text;
    uint32_t change;
  };
  std::vector<Named> named;
  for (uint32_t i = 0; i < plan.changes.size(); ++i) {
    const ResourceChange& c = plan.changes[i];
    if (!c.deposed.empty() || c.change.action == Action::Delete) continue;
    named.push_back({c.addr.text(), i});
  }
  std::sort(named.begin(), named.end(), [](const Named& a, const Named& b) { return a.text < b.text; });
  std::vector<ModuleEntry> entries;
  entries.reserve(named.size());
  for (const Named& n : named) entries.push_back({plan.changes[n.change].addr.module, n.change});
  named.clear();
  w.key("root_module");
  write_module_tree(
      entries, [&](uint32_t i) { write_planned_resource(plan.changes[i], w); }, w);
  w.end_object();
}

}  // namespace

void write_output_changes(const Plan& plan, JsonWriter& w) {
  if (plan.outputs.empty()) return;
  w.key("output_changes");
  w.begin_object();
  for (const OutputChange& o : plan.outputs) {
    w.key(o.name.sv());
    w.begin_object();
    write_values(o.change, "false", w);
    // The reference tools know only whether one of the two is.
    w.member("before_sensitive", o.sensitive || o.was_sensitive);
    w.member("after_sensitive", o.sensitive || o.was_sensitive);
    w.end_object();
  }
  w.end_object();
}

// Objects that only moved are drift in a plan that has no changes to tell it.
void write_resource_changes(const Plan& plan, JsonWriter& w) {
  auto write_list = [&](std::string_view key, const std::vector<ResourceChange>& list, auto wanted) {
    bool any = false;
    for (const ResourceChange& c : list) {
      if (!wanted(c)) continue;
      if (!any) w.key(key), w.begin_array();
      any = true;
      write_change(c, false, w);
    }
    if (any) w.end_array();
  };
  write_list("resource_drift", plan.drift, [&](const ResourceChange& c) {
    return has_entry(c) && (c.change.action != Action::NoOp || plan.mode == PlanMode::RefreshOnly);
  });
  write_list("resource_changes", plan.changes, has_entry);
}

void write_relevant_attributes(const Plan& plan, JsonWriter& w) {
  if (plan.relevant_attributes.empty()) return;
  w.key("relevant_attributes");
  w.begin_array();
  for (const RelevantAttribute& r : plan.relevant_attributes) {
    w.begin_object();
    w.member("resource", r.addr.text());
    w.key("attribute");
    write_path(r.path, w);
    w.end_object();
  }
  w.end_array();
}

void write_plan_json(const Plan& plan, const config::Config& config, const schema::Lookup& schemas,
                     JsonWriter& w, Diagnostics& diags) {
  w.begin_object();
  w.member("format_version", "1.2");
  w.member("terraform_version", kLanguageVersion);
  write_variables(plan, config, w);
  write_planned_values(plan, w);
  write_resource_changes(plan, w);
  if (!plan.deferred.empty()) {
    w.key("deferred_changes");
    w.begin_array();
    for (const DeferredChange& d : plan.deferred) {
      w.begin_object();
      w.member("reason", deferred_reason_name(d.reason));
      w.key("resource_change");
      write_change(d.change, true, w);
      w.end_object();
    }
    w.end_array();
  }
  write_output_changes(plan, w);
  if (!plan.prior_state.empty()) {
    w.key("prior_state");
    write_state_json(plan.prior_state, schemas, Unreadable::LeftOut, w, diags);
  }
  // What was generated is with the change of its import; the configuration is as the user wrote it.
  ResourceSet generated;
  for (const ResourceChange& c : plan.changes)
    if (!c.change.generated_config.empty()) generated.insert(c.addr.resource);
  w.key("configuration");
  write_config_json(config, w, generated);
  write_relevant_attributes(plan, w);
  if (!plan.checks.empty()) w.key("checks"), write_checks(plan.checks, w);
  if (!plan.timestamp.empty()) w.member("timestamp", plan.timestamp);
  w.member("applyable", plan.applyable);
  w.member("complete", plan.complete);
  w.member("errored", plan.errored);
  w.end_object();
}

}  // namespace xplan::render
