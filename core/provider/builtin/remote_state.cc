// The data source terraform_remote_state: reads the root outputs of another state. Backend: local.
#include <map>
#include <memory>

#include "core/base/fs.h"
#include "core/provider/builtin/builtin.h"
#include "core/schema/object_of.h"
#include "core/state/state.h"
#include "core/value/convert.h"

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

// An attribute or key of the backend's configuration, as a string; empty when absent or null.
std::string setting(const Value& config, std::string_view name) {
  const Value* v = config.kind() == Kind::Obj   ? config.find_attr(name)
                   : config.kind() == Kind::Map ? config.find_key(name)
                                                : nullptr;
  if (!v || v->is_null()) return "";
  auto s = convert(*v, Type::string());
  return s && s->is_string() ? std::string(s->as_string()) : "";
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
  const Value& backend = get(config, kBackend);
  if (backend.is_string() && backend.as_string() != "local") {
    static constexpr std::string_view known[] = {"azurerm",    "consul", "cos", "gcs",    "http", "inmem",
                                                 "kubernetes", "oss",    "pg",  "remote", "s3"};
    bool is_known = false;
    for (std::string_view k : known) is_known |= k == backend.as_string();
    out.push_back(problem(is_known ? "Backend not supported yet" : "Invalid backend configuration",
                          is_known ? "Remote states can be read only from the \"local\" backend; \"" +
                                         std::string(backend.as_string()) + "\" is not supported yet."
                                   : "There is no backend type \"" + std::string(backend.as_string()) +
                                         "\". Only the \"local\" backend is supported.",
                          kBackend));
  }
  const Value& c = get(config, kConfig);
  if (c.is_known() && !c.is_null()) {
    if (c.kind() != Kind::Obj && c.kind() != Kind::Map)
      out.push_back(problem("Invalid backend configuration",
                            "The argument \"config\" must be an object or a map.", kConfig));
    else if (c.kind() == Kind::Obj)
      for (Symbol name : c.type().attr_names())
        if (name.sv() != "path" && name.sv() != "workspace_dir")
          out.push_back(problem("Invalid backend configuration",
                                "The local backend has no setting \"" + std::string(name.sv()) +
                                    "\"; it has \"path\" and \"workspace_dir\".",
                                kConfig));
  }
  const Value& d = get(config, kDefaults);
  if (d.is_known() && !d.is_null() && d.kind() != Kind::Obj && d.kind() != Kind::Map)
    out.push_back(problem("Invalid default values", "The argument \"defaults\" must be an object or a map.",
                          kDefaults));
  return out;
}

ReadDataResponse read_remote_state(const Value& config) {
  ReadDataResponse out;
  out.diags = validate_remote_state(config);
  if (!out.diags.empty()) return out;
  const Value& c = get(config, kConfig);
  std::string path = setting(c, "path"), dir = setting(c, "workspace_dir");
  if (path.empty()) path = "terraform.tfstate";
  if (dir.empty()) dir = "terraform.tfstate.d";
  const Value& workspace = get(config, kWorkspace);
  std::string ws = workspace.is_string() ? std::string(workspace.as_string()) : "default";
  if (ws != "default" && !ws.empty()) path = dir + "/" + ws + "/terraform.tfstate";
  if (!real_fs().exists(path)) {
    out.diags.push_back(
        {Severity::Error, "Unable to find remote state", "There is no state file at \"" + path + "\".", {}});
    return out;
  }
  Result<std::string> text = real_fs().read(path);
  if (!text) {
    out.diags.push_back({Severity::Error, "Error loading state", text.error().sentence(), {}});
    return out;
  }
  Result<State> state = read_state(std::make_shared<const std::string>(std::move(*text)));
  if (!state) {
    out.diags.push_back({Severity::Error,
                         "Error loading state",
                         "The state file \"" + path + "\" cannot be read: " + state.error().message + ".",
                         {}});
    return out;
  }
  std::map<Symbol, Value, SymbolTextLess> outputs;
  const Value& defaults = get(config, kDefaults);
  if (defaults.kind() == Kind::Obj || defaults.kind() == Kind::Map)
    for (size_t i = 0; i < defaults.length(); ++i)
      outputs[defaults.kind() == Kind::Map ? Symbol(defaults.map_key(i)) : defaults.type().attr_names()[i]] =
          defaults.elements()[i];
  for (const auto& [name, o] : state->outputs) outputs[name] = o.value;
  std::vector<std::pair<Symbol, Value>> attrs(outputs.begin(), outputs.end());
  std::vector<Value> all;
  Type shape = config.type();
  for (Symbol name : shape.attr_names())
    all.push_back(name == kOutputs ? Value::object(attrs) : get(config, name));
  out.state = schema::object_of(shape, std::move(all));
  return out;
}

}  // namespace xplan::builtin
