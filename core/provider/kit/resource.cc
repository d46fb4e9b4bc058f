// Default implementations of the optional parts of a resource (validate, import, upgrade, move) and the
// shorthands for diagnostics.
#include "core/provider/kit/resource.h"

#include <fmt/format.h>

#include "core/value/json.h"

namespace xplan::kit {

void add_error(ProviderDiags& diags, std::string summary, std::string detail, Path path) {
  diags.push_back({Severity::Error, std::move(summary), std::move(detail), std::move(path)});
}
void add_warning(ProviderDiags& diags, std::string summary, std::string detail, Path path) {
  diags.push_back({Severity::Warning, std::move(summary), std::move(detail), std::move(path)});
}
void Resource::validate(const Value&, ProviderDiags&) {}
void DataSource::validate(const Value&, ProviderDiags&) {}
void Ephemeral::validate(const Value&, ProviderDiags&) {}

void Resource::import(const std::string&, ImportResult& out) {
  add_error(out.diags, "Import is not supported", "Objects of this type cannot be imported.");
}

void Resource::import_identity(const Value& identity, ImportResult& out) {
  Object state(out.state);
  for (Symbol name : identity.type().attr_names()) state.set(name.sv(), identity.attr(name));
  out.state = state.value();
}

Value Resource::upgrade_identity(uint64_t, std::string_view json, Type type, ProviderDiags& diags) {
  Result<Value> v = parse_json_as(json, type, true, true);
  if (v) return *v;
  add_error(diags, "Identity cannot be upgraded",
            "The recorded identity cannot be read: " + v.error().message + ".");
  return {};
}

Value Resource::upgrade(uint64_t version, std::string_view, ProviderDiags& diags) {
  add_error(
      diags, "State cannot be upgraded",
      fmt::format(
          "The object was written with schema version {}, which this version of the provider cannot read.",
          version));
  return Value::null(type_);
}

bool Resource::move(const MoveRequest&, ImportResult&) {
  return false;
}

}  // namespace xplan::kit
