// Resource identities: decoding and upgrading those in the state, checking those that providers return, and
// the texts that name an object to import.
#include "core/plan/identity.h"

#include <fmt/format.h>

#include "core/value/convert.h"
#include "core/value/json.h"

namespace xplan {

std::optional<Value> identity_value(const Object& o, const AbsInstance& addr, Provider& provider,
                                    Diagnostics& diags) {
  const schema::Schema* s = provider.schema()->find_identity(addr.resource.type);
  if (!s || !o.identity) return Value();
  if (o.identity->version > s->version) {
    diags
        .error(
            "Resource instance managed by newer provider version",
            fmt::format("The identity of {} was recorded with version {} of its schema, but this version of "
                        "the provider supports only versions up to {}. Use a newer version of the provider.",
                        addr.text(), o.identity->version, s->version))
        .address = addr.text();
    return std::nullopt;
  }
  if (o.identity->version == s->version) {
    if (Result<Value> v = parse_json_as(o.identity->json, s->block.implied_type())) return *v;
  }
  UpgradeIdentityResponse r =
      provider.upgrade_identity(addr.resource.type, o.identity->version, o.identity->json);
  size_t errors = diags.error_count();
  add_provider_diags(r.diags, addr, nullptr, diags);
  if (diags.error_count() != errors) return std::nullopt;
  if (!r.identity.is_null() && r.identity.is_wholly_known()) return std::move(r.identity);
  diags
      .error("Provider returned invalid result",
             fmt::format("The provider was asked to upgrade the identity of {} from schema version {} to "
                         "version {} and returned {}.",
                         addr.text(), o.identity->version, s->version,
                         r.identity.is_null() ? "nothing" : "unknown values"))
      .address = addr.text();
  return std::nullopt;
}

ObjectIdentityPtr make_identity(const Value& identity, Symbol type, const Provider& provider) {
  const schema::Schema* s = provider.schema()->find_identity(type);
  if (!s || identity.is_null()) return nullptr;
  return std::make_shared<const ObjectIdentity>(
      ObjectIdentity{s->version, to_json_as(identity, s->block.implied_type())});
}

ObjectPtr with_identity(const ObjectPtr& o, const Value& identity, Symbol type, const Provider& provider) {
  const schema::Schema* s = provider.schema()->find_identity(type);
  if (!s || (o->identity && o->identity->version == s->version)) return o;
  auto out = std::make_shared<Object>(*o);
  out->identity = make_identity(identity, type, provider);
  return out;
}

bool settle_identity(Value& answer, const Value& before, bool planned, std::string_view phase,
                     const AbsInstance& addr, Diagnostics& diags) {
  if (answer.is_null()) answer = before;
  if (answer.is_null()) return true;
  std::string wrong;
  if (!planned && !answer.is_wholly_known())
    wrong = "is not fully known";
  else if (!before.is_null() && !answer.raw_equal(before))
    wrong = fmt::format("is {}, but it was {}", identity_text(answer), identity_text(before));
  if (wrong.empty()) return true;
  answer = before;
  diags
      .error(
          "Provider produced invalid identity",
          fmt::format("The identity of {} that the provider returned {} {}. The identity of an object must "
                      "never change. This is a bug in the provider; please report it to its developers.",
                      addr.text(), phase, wrong))
      .address = addr.text();
  return false;
}

std::optional<Value> import_identity(const Value& given, Symbol type, const Provider& provider, Range where,
                                     Diagnostics& diags) {
  auto bad = [&](std::string why) {
    diags.error("Invalid import identity argument", std::move(why), where);
    return std::nullopt;
  };
  const schema::Schema* s = provider.schema()->find_identity(type);
  if (!s)
    return bad(fmt::format(
        "The provider does not support identities for objects of type \"{}\". Import them by \"id\".",
        type.sv()));
  if (given.is_null() || (given.kind() != Kind::Obj && given.kind() != Kind::Map))
    return bad("The identity must be an object with the attributes that identify the object to import.");
  std::vector<Value> attrs;
  size_t used = 0;
  for (const schema::Attribute& a : s->block.attributes) {
    const Value* v = given.kind() == Kind::Obj ? given.find_attr(a.name.sv()) : given.find_key(a.name.sv());
    used += v != nullptr;
    if (!v || v->is_null()) {
      if (a.required)
        return bad(fmt::format("The identity of objects of type \"{}\" requires the attribute \"{}\".",
                               type.sv(), a.name.sv()));
      attrs.push_back(Value::null(a.type));
      continue;
    }
    ConversionError error;
    std::optional<Value> converted = convert(*v, a.type, &error);
    if (!converted)
      return bad(
          fmt::format("The attribute \"{}\" of the identity cannot be used: {}.", a.name.sv(), error.text()));
    attrs.push_back(std::move(*converted));
  }
  if (used != given.length()) {
    std::string known;
    for (const schema::Attribute& a : s->block.attributes)
      known += fmt::format("{}\"{}\"", known.empty() ? "" : ", ", a.name.sv());
    return bad(fmt::format("The identity of objects of type \"{}\" has only these attributes: {}.", type.sv(),
                           known));
  }
  return Value::object(s->block.implied_type(), std::move(attrs));
}

std::string identity_text(const Value& identity) {
  return identity.is_wholly_known() ? to_json(identity) : "not known yet";
}

ObjectId import_target_id(const std::string& id, const Value& identity) {
  return identity.is_null() ? ObjectId{"id", id} : ObjectId{"identity", identity_text(identity)};
}

std::string import_text(const std::string& id, const Value& identity) {
  return identity.is_null() ? "id \"" + id + "\"" : "identity " + identity_text(identity);
}

}  // namespace xplan
