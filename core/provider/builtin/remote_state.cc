// The data source terraform_remote_state: reads the root outputs of another state, wherever a backend keeps
// it.
#include <map>
#include <memory>

#include "core/backend/clients.h"
#include "core/provider/builtin/builtin.h"
#include "core/schema/object_of.h"

namespace xplan::builtin {
namespace {

const Symbol kBackend("backend"), kConfig("config"), kDefaults("defaults"), kOutputs("outputs"),
    kWorkspace("workspace");

const Value& get(const Value& v, Symbol name) {
  return *v.find_attr(name.sv());
}

ProviderDiag problem(std::string summary, std::string detail, Symbol attr) {
  return {Severity::Error, std::move(summary), std::move(detail), {PathStep::of_attr(attr)}};
}

// The entries of an object or a map.
std::vector<std::pair<Symbol, Value>> entries(const Value& v) {
  std::vector<std::pair<Symbol, Value>> out;
  if (v.kind() == Kind::Obj || v.kind() == Kind::Map)
    for (size_t i = 0; i < v.length(); ++i)
      out.emplace_back(v.kind() == Kind::Map ? Symbol(v.map_key(i)) : v.type().attr_names()[i],
                       v.elements()[i]);
  return out;
}

bool is_object_or_map(const Value& v) {
  return !v.is_known() || v.is_null() || v.kind() == Kind::Obj || v.kind() == Kind::Map;
}

// What "config" says, as settings of the kind; problems go into `out`.
backend::Settings settings_of(const backend::Kind& kind, const Value& config, ProviderDiags& out) {
  backend::Settings s = backend::no_settings(kind.name);
  for (auto& [name, v] : entries(config)) {
    const std::optional<backend::NotSet> failed = backend::set(s, name.sv(), v);
    if (!failed) continue;
    out.push_back(problem(
        "Invalid backend configuration",
        failed->arguments.empty()
            ? "The value of \"" + std::string(name.sv()) + "\" is not suitable: " + failed->reason + "."
            : "The backend \"" + s.kind + "\" has no argument \"" + std::string(name.sv()) +
                  "\"; its arguments are " + failed->arguments + ".",
        kConfig));
  }
  return s;
}

}  // namespace

schema::Schema remote_state_schema() {
  schema::Schema s;
  enum Kind : uint8_t { Required, Optional, Computed };
  auto add = [&](Symbol name, Type t, Kind kind, std::string_view description) {
    schema::Attribute a;
    a.name = name, a.type = t, a.description = description, a.markdown = true;
    a.required = kind == Required, a.optional = kind == Optional, a.computed = kind == Computed;
    s.block.attributes.push_back(std::move(a));
  };
  add(kBackend, Type::string(), Required,
      "The type of the backend that stores the state, `local` for example.");
  add(kConfig, Type::dynamic(), Optional,
      "The configuration of the backend: an object with the arguments that a `backend` block of this type "
      "takes.");
  add(kDefaults, Type::dynamic(), Optional,
      "Values of outputs that the state does not have, as an object by name of the output.");
  add(kOutputs, Type::dynamic(), Computed,
      "The root outputs in the state, as an object by name of the output.");
  add(kWorkspace, Type::string(), Optional,
      "The workspace whose state is read, for backends that have workspaces.");
  return s;
}

ProviderDiags validate_remote_state(const Value& config) {
  ProviderDiags out;
  const Value &type = get(config, kBackend), &c = get(config, kConfig);
  const backend::Kind* kind = type.is_string() ? backend::find_type(type.as_string()) : nullptr;
  if (type.is_string() && !kind)
    out.push_back(
        problem("Unsupported backend type", backend::unsupported(type.as_string()).sentence(), kBackend));
  if (!is_object_or_map(c))
    out.push_back(problem("Invalid backend configuration",
                          "The argument \"config\" must be an object or a map.", kConfig));
  else if (kind)
    settings_of(*kind, c, out);
  if (!is_object_or_map(get(config, kDefaults)))
    out.push_back(problem("Invalid default values", "The argument \"defaults\" must be an object or a map.",
                          kDefaults));
  return out;
}

RemoteStates::RemoteStates() : clients_(std::make_shared<backend::Clients>()) {}

ReadDataResponse RemoteStates::read(const Value& config, std::shared_ptr<crypt::Codec> codec) {
  ReadDataResponse out;
  out.diags = validate_remote_state(config);
  if (!out.diags.empty()) return out;
  auto failed = [&](std::string summary, std::string detail, bool of_many = false) {
    out.diags.push_back({Severity::Error, std::move(summary), std::move(detail), {}, of_many});
    return std::move(out);
  };
  const backend::Settings settings =
      settings_of(*backend::find_type(get(config, kBackend).as_string()), get(config, kConfig), out.diags);
  const Opened& opened = opened_.get(settings.kind + " " + settings.json(), [&] {
    return backend::open(settings, {.stop = &stop_, .clients = clients_});
  });
  if (!opened) return failed("Invalid backend configuration", opened.error().sentence());
  const std::unique_ptr<backend::Backend> states = (*opened)->with(std::move(codec));
  const Value& given = get(config, kWorkspace);
  const std::string workspace(given.is_string() && !given.as_string().empty() ? given.as_string()
                                                                              : "default");
  Result<std::optional<State>> state = states->read(workspace);
  if (!state && stop_)
    return failed("Loading state was interrupted", "The run was stopped before the state was read.", true);
  if (!state) return failed("Error loading state", state.error().sentence());
  if (!*state)
    return failed("Unable to find remote state",
                  "There is no state file at \"" + states->place(workspace) + "\".");
  std::map<Symbol, Value, SymbolTextLess> outputs;
  for (auto& [name, v] : entries(get(config, kDefaults))) outputs[name] = v;
  for (const auto& [name, o] : (*state)->outputs) outputs[name] = o.value;
  std::vector<std::pair<Symbol, Value>> attrs(outputs.begin(), outputs.end());
  std::vector<Value> all;
  Type shape = config.type();
  for (Symbol name : shape.attr_names())
    all.push_back(name == kOutputs ? Value::object(attrs) : get(config, name));
  out.state = schema::object_of(shape, std::move(all));
  return out;
}

}  // namespace xplan::builtin
