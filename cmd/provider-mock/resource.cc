// The honest part of the mock: resources that are kept in the store, data sources and ephemeral resources
// that make their values up.
#include "cmd/provider-mock/mock_provider.h"
#include "core/provider/kit/walk.h"
#include "core/value/json.h"

namespace xplan::mock {
namespace {

using kit::Field;
using kit::Next;
using kit::Place;

const Computation* find(const MockType& t, const Path& path) {
  std::vector<std::string> names;
  for (const PathStep& s : path)
    if (s.is_attr) names.emplace_back(s.attr.sv());
  auto it = t.behaviour.fields.find(names);
  return it == t.behaviour.fields.end() ? nullptr : &it->second;
}

// %id% in strings becomes the object's id.
Value with_id(const Value& v, std::string_view id) {
  return transform_value(v, [&](const Path&, const Value& x) {
    if (!x.is_string()) return x;
    std::string text(x.as_string());
    for (size_t at; (at = text.find("%id%")) != std::string::npos;) text.replace(at, 4, id);
    return text == x.as_string() ? x : Value::string(text);
  });
}

// A value that nobody asked for, the same every time.
Value made_up(Type t, std::string_view name, std::string_view id) {
  switch (t.kind()) {
    case TypeKind::Bool:
      return Value::boolean(true);
    case TypeKind::Number:
      return Value::number(1);
    case TypeKind::List:
      return Value::list(t.element(), {});
    case TypeKind::Set:
      return Value::set(t.element(), {});
    case TypeKind::Map:
      return Value::map(t.element(), {});
    case TypeKind::Tuple: {
      std::vector<Value> out;
      for (Type e : t.elements()) out.push_back(made_up(e, name, id));
      return Value::tuple(std::move(out));
    }
    case TypeKind::Object: {
      kit::Object o = kit::Object::blank(t);
      for (size_t i = 0; i < t.elements().size(); ++i)
        o.set(t.attr_names()[i].sv(), made_up(t.elements()[i], t.attr_names()[i].sv(), id));
      return o.value();
    }
    case TypeKind::String:
    case TypeKind::Dynamic:
    case TypeKind::Capsule:
      break;
  }
  return Value::string(std::string(name) + (id.empty() ? "" : " of " + std::string(id)));
}

Value sibling(const Value& whole, Path path, const std::string& name) {
  path.back() = PathStep::of_attr(name);
  return path_get(whole, path).value_or(Value());
}

class MockResource : public kit::Resource {
 public:
  MockResource(const MockType& t, std::string name, Store& store)
      : t_(t), name_(std::move(name)), store_(store) {}

  kit::Schema schema() const override { return t_.schema; }
  kit::Identity identity() const override { return t_.identity; }

  void modify_plan(const kit::ModifyPlanRequest& r, kit::ModifyPlanResponse& out) override {
    if (r.destroying()) return;
    out.plan = computed_blocks(r);
    out.plan = computed_values(t_, out.plan, kit::Object(r.prior).text(t_.behaviour.id), true);
  }
  void create(const kit::ChangeRequest& r, kit::StateResponse& out) override {
    kit::Object planned(r.planned);
    std::string error;
    auto own = t_.behaviour.fields.find({t_.behaviour.id});
    if (own != t_.behaviour.fields.end() && planned.get(t_.behaviour.id).is_unknown() &&
        (own->second.value || !own->second.copy_of.empty()))
      planned.set(t_.behaviour.id,
                  kit::Object(computed_values(t_, r.planned, "", false)).get(t_.behaviour.id));
    std::string id(planned.text(t_.behaviour.id));
    if (id.empty()) id = store_.new_id(name_, error);
    if (planned.get(t_.behaviour.id).is_unknown()) planned.set(t_.behaviour.id, id);
    finish(planned.value(), id, error, out);
  }
  void update(const kit::ChangeRequest& r, kit::StateResponse& out) override {
    finish(r.planned, kit::Object(r.prior).text(t_.behaviour.id), "", out);
  }
  void read(const Value& current, const Value&, kit::StateResponse& out) override {
    std::string_view id = kit::Object(current).text(t_.behaviour.id);
    if (!store_.kept() || id.empty()) return;
    std::string error;
    std::optional<Value> found = store_.read(name_, id, type_, error);
    if (!error.empty()) return kit::add_error(out.diags, "Object cannot be read", error);
    out.state = found.value_or(Value());
  }
  void remove(const kit::ChangeRequest& r, kit::StateResponse&) override {
    store_.remove(name_, kit::Object(r.prior).text(t_.behaviour.id));
  }
  void import(const std::string& id, kit::ImportResult& out) override {
    std::string error;
    if (store_.kept()) {
      std::optional<Value> found = store_.read(name_, id, type_, error);
      if (!found)
        return kit::add_error(out.diags, "Object cannot be imported",
                              error.empty() ? "There is no object \"" + id + "\"." : error);
      out.state = *found;
      return;
    }
    kit::Object o(out.state);
    o.set(t_.behaviour.id, id);
    out.state = o.value();
  }
  void import_identity(const Value& identity, kit::ImportResult& out) override {
    std::string_view id = kit::Object(identity).text(t_.behaviour.id);
    if (store_.kept() && !id.empty())
      import(std::string(id), out);
    else
      kit::Resource::import_identity(identity, out);
  }
  // From older versions, attributes of the same name are taken over.
  Value upgrade(uint64_t version, std::string_view json, ProviderDiags& diags) override {
    Result<Value> v = parse_json_as(json, type_, true, true);
    if (v && version < t_.schema.version) return *v;
    kit::add_error(diags, "State cannot be upgraded",
                   v ? "The version is not older than the current one." : v.error().message);
    return Value::null(type_);
  }
  bool move(const kit::MoveRequest& r, kit::ImportResult& out) override {
    Result<Value> v = parse_json_as(r.source_json, type_, true, true);
    if (v) out.state = *v;
    return v.ok();
  }

 private:
  // Blocks that the configuration leaves out and the provider fills, as older providers do it.
  Value computed_blocks(const kit::ModifyPlanRequest& r) const {
    kit::Object plan(r.plan);
    for (const Field& f : t_.schema.fields) {
      auto it = t_.behaviour.fields.find({std::string(f.info.name.sv())});
      if (f.kind != Field::Kind::Block || it == t_.behaviour.fields.end() || !it->second.block_computed)
        continue;
      const Value& config = kit::attribute_of(r.config, f.info.name);
      if (config.kind() != Kind::Seq && config.kind() != Kind::Set) continue;
      if (config.length() > 0 || !config.type().is_collection()) continue;
      const Value& prior = kit::attribute_of(r.prior, f.info.name);
      if (prior.kind() == config.kind()) {
        plan.set(f.info.name.sv(), prior);
        continue;
      }
      kit::Object element = kit::Object::blank(config.type().element());
      for (const Field& inner : f.fields)
        element.set(inner.info.name.sv(), Value::unknown(element.get(inner.info.name.sv()).type()));
      std::vector<Value> elements(static_cast<size_t>(it->second.count), element.value());
      plan.set(f.info.name.sv(), config.kind() == Kind::Set
                                     ? Value::set(config.type().element(), std::move(elements))
                                     : Value::list(config.type().element(), std::move(elements)));
    }
    return plan.value();
  }
  void finish(const Value& planned, std::string_view id, std::string error, kit::StateResponse& out) {
    out.state = computed_values(t_, planned, id, false);
    if (error.empty() && !id.empty()) store_.write(name_, id, out.state, type_, error);
    if (!error.empty()) kit::add_error(out.diags, "Object cannot be written", error);
  }

  const MockType& t_;
  std::string name_;
  Store& store_;
};

// Everything computed that the configuration does not set.
Value answer(const MockType& t, const Value& config) {
  Value unknown = kit::walk_plan(t.schema.fields, config, Value(), config, [](const Field& f, Place& p) {
    if (f.kind != Field::Kind::Block && f.info.computed && p.plan.is_null()) {
      p.plan = f.default_value ? *f.default_value : Value::unknown(f.info.type);
      return Next::Skip;
    }
    return Next::Into;
  });
  return computed_values(t, unknown, "", false);
}

class MockData : public kit::DataSource {
 public:
  explicit MockData(const MockType& t) : t_(t) {}
  kit::Schema schema() const override { return t_.schema; }
  void read(const Value& config, const Value&, kit::StateResponse& out) override {
    out.state = answer(t_, config);
  }

 private:
  const MockType& t_;
};

class MockEphemeral : public kit::Ephemeral {
 public:
  explicit MockEphemeral(const MockType& t) : t_(t) {}
  kit::Schema schema() const override { return t_.schema; }
  void open(const Value& config, kit::EphemeralResult& out) override {
    out.result = answer(t_, config);
    out.private_data.set("opened", "yes");
  }

 private:
  const MockType& t_;
};

}  // namespace

Value computed_values(const MockType& t, const Value& planned, std::string_view id, bool at_plan) {
  return kit::walk_plan(t.schema.fields, Value(), Value(), planned, [&](const Field& f, Place& p) {
    if (!p.plan.is_unknown()) return Next::Into;
    const Computation* c = find(t, p.path);
    if (at_plan && !(c && c->at_plan)) return Next::Skip;
    if (c && !c->copy_of.empty()) {
      Value copy = sibling(planned, p.path, c->copy_of);
      if (copy.is_known()) p.plan = copy.is_null() ? Value::null(f.info.type) : copy;
    } else if (c && c->value) {
      Result<Value> v = json_value_as(*c->value, p.plan.type());
      p.plan = v ? with_id(*v, id) : made_up(p.plan.type(), f.info.name.sv(), id);
    } else {
      p.plan = made_up(p.plan.type(), f.info.name.sv(), id);
    }
    return Next::Skip;
  });
}

std::unique_ptr<kit::Resource> make_resource(const MockType& t, std::string name, Store& store) {
  return std::make_unique<MockResource>(t, std::move(name), store);
}
std::unique_ptr<kit::DataSource> make_data(const MockType& t) {
  return std::make_unique<MockData>(t);
}
std::unique_ptr<kit::Ephemeral> make_ephemeral(const MockType& t) {
  return std::make_unique<MockEphemeral>(t);
}

}  // namespace xplan::mock
