// Reads the mock's schema file: kit declarations (attributes, blocks, functions, identities) and the
// behaviour beside each of them. Open this to add something a schema file can say.
#include "cmd/provider-mock/schema_file.h"

#include "core/provider/kit/modifiers.h"
#include "core/value/json.h"

namespace xplan::mock {

bool flag(const JsonNode& n, std::string_view key) {
  const JsonNode* v = n.find(key);
  return v && v->is_true();
}

namespace {

std::string_view text_of(const JsonNode& n, std::string_view key) {
  const JsonNode* v = n.find(key);
  return v ? v->str() : std::string_view();
}
int64_t integer(const JsonNode& n, std::string_view key, int64_t otherwise) {
  const JsonNode* v = n.find(key);
  return v && v->is_number() ? atoll(std::string(v->text).c_str()) : otherwise;
}

class Reader {
 public:
  explicit Reader(std::vector<std::string>& errors) : errors_(errors) {}

  MockType type(const JsonNode& n, const std::string& where) {
    MockType out;
    behaviour_ = &out.behaviour;
    out.schema = schema(n, where);
    read_behaviour(n, where, out.behaviour);
    return out;
  }
  kit::Schema schema(const JsonNode& n, const std::string& where) {
    kit::Schema out;
    out.version = static_cast<uint64_t>(integer(n, "version", 0));
    path_.clear();
    if (const JsonNode* b = n.find("block")) {
      out.fields = block(*b, where);
      out.description = text_of(*b, "description");
      if (flag(*b, "deprecated")) out.deprecation_message = text_of(*b, "deprecation_message");
    }
    return out;
  }
  void read_behaviour(const JsonNode& n, const std::string& where, TypeBehaviour& out) {
    const JsonNode* b = n.find("behaviour");
    if (!b) return;
    for (const JsonMember& m : b->members) {
      if (m.key == "id")
        out.id = m.value->str();
      else if (m.value->is_object() || m.value->is_array())
        out.calls[std::string(m.key)] =
            read_scripts(*m.value, where + ".behaviour." + std::string(m.key), errors_);
    }
  }
  kit::Identity identity(const JsonNode& n, const std::string& where) {
    kit::Identity out;
    out.version = static_cast<uint64_t>(integer(n, "version", 0));
    if (const JsonNode* attributes = n.find("attributes"))
      for (const JsonMember& m : attributes->members) {
        kit::Field f = kit::attribute(m.key, read_type(m.value->find("type"), where));
        f.info.required = flag(*m.value, "required_for_import");
        f.info.optional = flag(*m.value, "optional_for_import");
        out.fields.push_back(std::move(f));
      }
    return out;
  }
  MockFunction function(const JsonNode& n, const std::string& where) {
    MockFunction out;
    auto parameter = [&](const JsonNode& p) {
      schema::FunctionParameter x;
      x.name = text_of(p, "name");
      x.type = read_type(p.find("type"), where);
      x.allow_null = flag(p, "is_nullable");
      x.allow_unknown = flag(p, "allow_unknown_values");
      x.description = text_of(p, "description");
      return x;
    };
    if (const JsonNode* v = n.find("parameters"))
      for (const JsonNode* p : v->items) out.signature.params.push_back(parameter(*p));
    if (const JsonNode* v = n.find("variadic_parameter"))
      out.signature.variadic = std::make_shared<schema::FunctionParameter>(parameter(*v));
    out.signature.returns = read_type(n.find("return_type"), where);
    out.signature.summary = text_of(n, "summary");
    out.signature.description = text_of(n, "description");
    if (const JsonNode* b = n.find("behaviour")) {
      out.result = b->find("result");
      out.error = text_of(*b, "error");
      out.argument = integer(*b, "argument", -1);
    }
    return out;
  }
  void use(TypeBehaviour& b) { behaviour_ = &b; }

 private:
  Type read_type(const JsonNode* n, const std::string& where) {
    if (!n) {
      errors_.push_back(where + " has no type.");
      return Type::dynamic();
    }
    Result<Type> t = json_type(*n);
    if (t) return *t;
    errors_.push_back(where + ".type cannot be read: " + t.error().message + ".");
    return Type::dynamic();
  }

  std::vector<kit::Field> attributes(const JsonNode& n, const std::string& where) {
    std::vector<kit::Field> out;
    for (const JsonMember& m : n.members) {
      path_.emplace_back(m.key);
      out.push_back(attribute(m.key, *m.value, where + "." + std::string(m.key)));
      path_.pop_back();
    }
    return out;
  }
  schema::Nesting nesting(const JsonNode& n, const std::string& where) {
    std::string_view mode = text_of(n, "nesting_mode");
    if (mode == "single") return schema::Nesting::Single;
    if (mode == "list") return schema::Nesting::List;
    if (mode == "set") return schema::Nesting::Set;
    if (mode == "map") return schema::Nesting::Map;
    if (mode == "group") return schema::Nesting::Group;
    errors_.push_back(where + ".nesting_mode must be one of single, list, set, map and group.");
    return schema::Nesting::List;
  }

  kit::Field attribute(std::string_view name, const JsonNode& n, const std::string& where) {
    kit::Field f;
    if (const JsonNode* inner = n.find("nested_type")) {
      const JsonNode* list = inner->find("attributes");
      f = kit::nested(name, nesting(*inner, where + ".nested_type"),
                      list ? attributes(*list, where) : std::vector<kit::Field>());
    } else {
      f = kit::attribute(name, read_type(n.find("type"), where));
    }
    f.info.required = flag(n, "required");
    f.info.optional = flag(n, "optional");
    f.info.computed = flag(n, "computed");
    f.info.sensitive = flag(n, "sensitive");
    f.info.write_only = flag(n, "write_only");
    if (flag(n, "deprecated")) f.deprecated(std::string(text_of(n, "deprecation_message")));
    f.info.description = text_of(n, "description");
    if (const JsonNode* b = n.find("behaviour")) field_behaviour(*b, where + ".behaviour", f);
    return f;
  }

  std::vector<kit::Field> block(const JsonNode& n, const std::string& where) {
    std::vector<kit::Field> out;
    if (const JsonNode* a = n.find("attributes")) out = attributes(*a, where);
    if (const JsonNode* blocks = n.find("block_types"))
      for (const JsonMember& m : blocks->members) {
        std::string here = where + "." + std::string(m.key);
        path_.emplace_back(m.key);
        const JsonNode* inner = m.value->find("block");
        kit::Field f = kit::block(m.key, nesting(*m.value, here),
                                  inner ? block(*inner, here) : std::vector<kit::Field>());
        if (inner && flag(*inner, "deprecated"))
          f.deprecated(std::string(text_of(*inner, "deprecation_message")));
        f.items(integer(*m.value, "min_items", 0), integer(*m.value, "max_items", 0));
        if (const JsonNode* b = m.value->find("behaviour")) field_behaviour(*b, here + ".behaviour", f);
        path_.pop_back();
        out.push_back(std::move(f));
      }
    return out;
  }

  void field_behaviour(const JsonNode& b, const std::string& where, kit::Field& f) {
    Computation c;
    for (const JsonMember& m : b.members) {
      const JsonNode& v = *m.value;
      if (m.key == "default") {
        Result<Value> d = json_value_as(v, f.info.type);
        if (!d) errors_.push_back(where + ".default cannot be read: " + d.error().message + ".");
        bool computed = f.info.computed;
        if (d) f.with_default(*d);
        // As older providers do it, with legacy_type_system: the schema then says optional only.
        if (flag(b, "legacy")) f.info.computed = computed;
      } else if (m.key == "requires_replace") {
        f.modify(replacement(v, f.info.type, where));
      } else if (m.key == "use_state_for_unknown") {
        if (v.is_true()) f.modify(kit::use_state_for_unknown());
      } else if (m.key == "equivalent") {
        if (v.str() == "case")
          f.equivalent_when(kit::same_ignoring_case);
        else if (v.str() == "trim")
          f.equivalent_when(kit::same_trimmed);
        else if (v.str() == "json")
          f.equivalent_when(kit::same_json);
        else
          errors_.push_back(where + ".equivalent must be one of case, trim and json.");
      } else if (m.key == "plan_error" || m.key == "plan_warning") {
        Severity severity = m.key == "plan_error" ? Severity::Error : Severity::Warning;
        f.modify(kit::modifier(
            "Reports a problem.",
            [severity, text = std::string(v.str())](const kit::ModifyRequest&, kit::ModifyResponse& out) {
              out.diags.push_back({severity, text, "", {}});
            }));
      } else if (m.key == "value") {
        c.value = &v;
      } else if (m.key == "value_from") {
        c.copy_of = v.str();
      } else if (m.key == "known_at_plan") {
        c.at_plan = v.is_true();
      } else if (m.key == "computed") {
        c.block_computed = v.is_true();
      } else if (m.key == "count") {
        c.count = integer(b, "count", 1);
      } else if (m.key != "legacy") {
        errors_.push_back(where + " has a member \"" + std::string(m.key) + "\", which is not supported.");
      }
    }
    if (behaviour_) behaviour_->fields[path_] = std::move(c);
  }

  kit::PlanModifier replacement(const JsonNode& v, Type type, const std::string& where) {
    if (v.str() == "if_configured") return kit::requires_replace_if_configured();
    if (v.is_object()) {
      auto wanted = [&](std::string_view key) -> std::optional<Value> {
        const JsonNode* n = v.find(key);
        if (!n) return std::nullopt;
        Result<Value> r = json_value_as(*n, type);
        if (r) return *r;
        errors_.push_back(where + ".requires_replace cannot be read: " + r.error().message + ".");
        return std::nullopt;
      };
      std::optional<Value> from = wanted("if_prior"), to = wanted("if_planned");
      return kit::requires_replace_if(
          [from, to](const kit::ModifyRequest& r) {
            return (!from || from->raw_equal(r.prior)) && (!to || to->raw_equal(r.plan));
          },
          "Some changes to this value replace the object.");
    }
    if (!v.is_true())
      errors_.push_back(where + ".requires_replace must be true, \"if_configured\" or an object.");
    return kit::requires_replace();
  }

  std::vector<std::string>& errors_;
  TypeBehaviour* behaviour_ = nullptr;
  std::vector<std::string> path_;
};

}  // namespace

SchemaFile read_schema_file(std::string text, std::vector<std::string>& errors) {
  SchemaFile out;
  JsonError error;
  out.document = JsonDocument::parse_owned(std::move(text), error);
  if (!out.document) {
    errors.push_back("The file is not JSON: " + error.message + ".");
    return out;
  }
  const JsonNode* root = &out.document->root();
  if (const JsonNode* all = root->find("provider_schemas"); all && !all->members.empty())
    root = all->members[0].value;
  Reader reader(errors);
  reader.use(out.behaviour);
  if (const JsonNode* n = root->find("provider")) out.provider = reader.schema(*n, "provider");
  if (const JsonNode* n = root->find("provider_meta")) out.provider_meta = reader.schema(*n, "provider_meta");
  reader.read_behaviour(*root, "the file", out.behaviour);
  if (const JsonNode* b = root->find("behaviour")) {
    if (const JsonNode* v = b->find("plan_destroy")) out.plan_destroy = !(v->kind == JsonNode::Kind::False);
    out.generate_config = flag(*b, "generate_config");
  }
  auto types = [&](const char* key, std::map<std::string, MockType>& table) {
    if (const JsonNode* n = root->find(key))
      for (const JsonMember& m : n->members)
        table.emplace(m.key, reader.type(*m.value, std::string(key) + "." + std::string(m.key)));
  };
  types("resource_schemas", out.managed);
  if (const JsonNode* n = root->find("resource_identity_schemas"))
    for (const JsonMember& m : n->members)
      out.managed[std::string(m.key)].identity =
          reader.identity(*m.value, "resource_identity_schemas." + std::string(m.key));
  types("data_source_schemas", out.data);
  types("ephemeral_resource_schemas", out.ephemeral);
  if (const JsonNode* n = root->find("functions"))
    for (const JsonMember& m : n->members)
      out.functions.emplace(m.key, reader.function(*m.value, "functions." + std::string(m.key)));
  return out;
}

}  // namespace xplan::mock
