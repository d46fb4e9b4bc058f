// Makes a Plan from recorded plan JSON: values with marks and unknowns from the shadows, for tests of
// rendering.
#include "tests/unit/render/plan_from_json.h"

#include <map>
#include <stdexcept>

#include "core/base/json_reader.h"
#include "core/value/json.h"

namespace xplan {

namespace {

const JsonNode* member(const JsonNode* n, std::string_view key) {
  return n && n->is_object() ? n->find(key) : nullptr;
}
bool is_true(const JsonNode* n) {
  return n && n->is_true();
}

Value masked(const JsonNode* v, const JsonNode* unknown, const JsonNode* sensitive) {
  Value out;
  if (is_true(unknown)) {
    out = Value::unknown();
  } else if ((v && v->is_object()) ||
             (unknown && unknown->is_object() && (!v || v->is_null()) && !unknown->members.empty())) {
    std::map<std::string, std::pair<const JsonNode*, const JsonNode*>> all;
    if (v && v->is_object())
      for (const JsonMember& m : v->members) all[std::string(m.key)].first = m.value;
    if (unknown && unknown->is_object())
      for (const JsonMember& m : unknown->members) all[std::string(m.key)].second = m.value;
    std::vector<std::pair<Symbol, Value>> attrs;
    for (auto& [key, both] : all)
      attrs.emplace_back(Symbol(key), masked(both.first, both.second, member(sensitive, key)));
    out = Value::object(std::move(attrs));
  } else if (v && v->is_array()) {
    std::vector<Value> elements;
    for (size_t i = 0; i < v->items.size(); ++i) {
      auto at = [i](const JsonNode* mask) {
        return mask && mask->is_array() && i < mask->items.size() ? mask->items[i] : nullptr;
      };
      elements.push_back(masked(v->items[i], at(unknown), at(sensitive)));
    }
    out = Value::tuple(std::move(elements));
  } else if (v) {
    out = json_value(*v).value();
  }
  return is_true(sensitive) ? out.with_marks(kSensitive) : out;
}

Path path_of(const JsonNode& n) {
  Path p;
  for (const JsonNode* step : n.items)
    p.push_back(step->is_string() ? PathStep::of_attr(step->text)
                                  : PathStep::of_index(json_value(*step).value()));
  return p;
}

AbsInstance address(std::string_view text) {
  auto a = parse_abs_instance(text);
  if (!a) throw std::runtime_error("no address: " + std::string(text));
  return *a;
}

Action action_of(const JsonNode& actions) {
  std::string all;
  for (const JsonNode* a : actions.items) all += std::string(a->str()) + " ";
  static const std::map<std::string, Action> kActions = {{"no-op ", Action::NoOp},
                                                         {"create ", Action::Create},
                                                         {"read ", Action::Read},
                                                         {"update ", Action::Update},
                                                         {"delete create ", Action::DeleteThenCreate},
                                                         {"create delete ", Action::CreateThenDelete},
                                                         {"delete ", Action::Delete},
                                                         {"forget ", Action::Forget}};
  return kActions.at(all);
}

void read_change(const JsonNode& n, Change& out) {
  out.action = action_of(*n.find("actions"));
  out.before = masked(n.find("before"), nullptr, n.find("before_sensitive"));
  out.after = masked(n.find("after"), n.find("after_unknown"), n.find("after_sensitive"));
  if (const JsonNode* importing = n.find("importing")) {
    out.importing = true;
    if (const JsonNode* id = importing->find("id")) out.import_id = id->str();
  }
}

ResourceChange read_resource(const JsonNode& n) {
  ResourceChange c;
  c.addr = c.prev_addr = address(n.find("address")->str());
  if (const JsonNode* p = n.find("previous_address")) c.prev_addr = address(p->str());
  if (const JsonNode* d = n.find("deposed")) c.deposed = d->str();
  c.schema = recorded_schema(c.addr.resource.mode);
  read_change(*n.find("change"), c.change);
  if (const JsonNode* paths = n.find("change")->find("replace_paths"))
    for (const JsonNode* p : paths->items) c.required_replace.push_back(path_of(*p));
  if (const JsonNode* reason = n.find("action_reason"))
    for (int r = 0; r <= UINT8_MAX; ++r)
      if (facts(static_cast<Reason>(r)).name == reason->str()) c.reason = static_cast<Reason>(r);
  return c;
}

schema::Attribute attribute(std::string_view name, Type type) {
  schema::Attribute a;
  a.name = Symbol(name);
  a.type = type;
  a.optional = a.computed = true;
  return a;
}

}  // namespace

const schema::SchemaPtr& recorded_schema(Mode mode) {
  static const schema::SchemaPtr managed = [] {
    schema::Schema s;
    s.block.attributes = {attribute("id", Type::string()), attribute("input", Type()),
                          attribute("output", Type()), attribute("triggers_replace", Type())};
    return std::make_shared<const schema::Schema>(std::move(s));
  }();
  static const schema::SchemaPtr data = [] {
    schema::Schema s;
    s.block.attributes = {attribute("backend", Type::string()), attribute("config", Type()),
                          attribute("defaults", Type()), attribute("outputs", Type()),
                          attribute("workspace", Type::string())};
    return std::make_shared<const schema::Schema>(std::move(s));
  }();
  return mode == Mode::Data ? data : managed;
}

std::unique_ptr<Plan> plan_from_json(const std::string& text) {
  JsonError error;
  auto document = JsonDocument::parse(text, error);
  if (!document) throw std::runtime_error(error.text(text));
  const JsonNode& root = document->root();
  auto plan = std::make_unique<Plan>();
  if (const JsonNode* mode = root.find("mode"))
    plan->mode = mode->str() == "destroy"        ? PlanMode::Destroy
                 : mode->str() == "refresh-only" ? PlanMode::RefreshOnly
                                                 : PlanMode::Normal;
  if (const JsonNode* all = root.find("resource_changes"))
    for (const JsonNode* n : all->items) plan->changes.push_back(read_resource(*n));
  if (const JsonNode* all = root.find("resource_drift"))
    for (const JsonNode* n : all->items) plan->drift.push_back(read_resource(*n));
  if (const JsonNode* all = root.find("relevant_attributes"))
    for (const JsonNode* n : all->items)
      plan->relevant_attributes.push_back(
          {address(n->find("resource")->str()), path_of(*n->find("attribute"))});
  if (const JsonNode* all = root.find("output_changes")) {
    std::map<std::string, const JsonNode*> sorted;
    for (const JsonMember& m : all->members) sorted[std::string(m.key)] = m.value;
    for (auto& [name, n] : sorted) {
      OutputChange c;
      c.name = Symbol(name);
      c.sensitive = is_true(n->find("after_sensitive"));
      c.was_sensitive = is_true(n->find("before_sensitive"));
      read_change(*n, c.change);
      plan->outputs.push_back(std::move(c));
    }
  }
  return plan;
}

}  // namespace xplan
