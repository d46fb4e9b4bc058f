// Prints a state, single resource instances and outputs, for people, raw, and as the JSON of "output".
#include "render/human_state.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/addr/addr.h"
#include "core/base/command_line.h"
#include "core/base/json_reader.h"
#include "core/base/json_writer.h"
#include "core/base/terminal.h"
#include "core/base/text.h"
#include "core/eval/eval.h"
#include "core/value/json.h"
#include "render/diff.h"
#include "render/diff_print.h"
#include "render/short_value.h"

namespace xplan::render {

namespace {

PrintOptions still(const HumanOptions& o) {
  PrintOptions p;
  p.color = o.color;
  p.show_sensitive = o.show_sensitive;
  p.no_null = p.show_unchanged = p.no_symbols = true;
  return p;
}

bool write_object(const AbsInstance& addr, const std::string& deposed, const Object& object,
                  const ProviderAddr& provider, const schema::Lookup& schemas, const HumanOptions& o,
                  std::string& out, Diagnostics& diags) {
  const schema::SchemaPtr schema = schemas(provider, addr.resource.mode, addr.resource.type);
  std::optional<Value> v = decode_object(object, schema.get(), addr.text(), diags);
  if (!v) return false;
  out += "# " + addr.text() + ":";
  if (!deposed.empty())
    out += " (deposed object " + deposed + ")";
  else if (object.status == ObjectStatus::Tainted)
    out += " (tainted)";
  out += addr.resource.mode == Mode::Managed ? "\nresource " : "\ndata ";
  append_quoted(out, addr.resource.type.sv(), Quoting::Debug);
  out += ' ';
  append_quoted(out, addr.resource.name.sv(), Quoting::Debug);
  out += ' ';
  Arena arena;
  print_diff(out, *Differ(arena).resource(*v, *v, schema->block, {}), 0, still(o), arena);
  out += '\n';
  return true;
}

// Modules in the order of their text, each before the modules in it.
struct ModulePart {
  std::string text;
  std::vector<std::string> steps;
  std::vector<const std::pair<const AbsResource, ResourceState>*> resources;
};

std::vector<ModulePart> by_module(const State& state) {
  std::vector<ModulePart> parts;
  std::map<uint32_t, size_t> index;
  for (const auto& entry : state.resources) {
    ModuleInstance m = entry.first.module;
    auto [it, fresh] = index.emplace(m.id(), parts.size());
    if (fresh) {
      ModulePart part;
      for (ModuleInstance step : m.chain()) part.steps.push_back(step.text());
      parts.push_back(std::move(part));
    }
    parts[it->second].resources.push_back(&entry);
  }
  std::sort(parts.begin(), parts.end(),
            [](const ModulePart& a, const ModulePart& b) { return a.steps < b.steps; });
  return parts;
}

bool hides(const OutputState& o, const HumanOptions& options) {
  return o.sensitive && !options.show_sensitive;
}

// People see the outputs up to a size in all; of the others, how large they are.
bool takes_place(const Value& v, size_t& left, std::string& out) {
  const size_t size = v.written_size();
  if (size <= left) return left -= size, true;
  out += too_large_text(size);
  return false;
}

void write_type(JsonWriter& w, const JsonNode& n) {
  if (n.is_array()) {
    w.begin_array();
    for (const JsonNode* e : n.items) write_type(w, *e);
    w.end_array();
  } else if (n.is_object()) {
    w.begin_object();
    for (const JsonMember& m : n.members) w.key(m.key), write_type(w, *m.value);
    w.end_object();
  } else {
    w.string(n.str());
  }
}

}  // namespace

void render_state(const State& state, const schema::Lookup& schemas, const HumanOptions& options,
                  std::string& out, Diagnostics& diags) {
  if (state.empty()) {
    out += "The state file is empty. No resources are represented.\n";
    return;
  }
  bool first = true;
  for (const ModulePart& part : by_module(state)) {
    if (!first) out += '\n';
    for (const auto* entry : part.resources) {
      const auto& [resource, r] = *entry;
      for (const auto& [key, instance] : r.instances) {
        AbsInstance addr{resource.module, resource.resource, key};
        auto write = [&, &provider = r.provider.provider](const std::string& deposed,
                                                          const ObjectPtr& object) {
          std::string text;
          if (!write_object(addr, deposed, *object, provider, schemas, options, text, diags)) return;
          if (!first) out += '\n';
          first = false;
          out += text;
        };
        if (instance.current) write("", instance.current);
        for (const auto& [deposed, object] : instance.deposed) write(deposed, object);
      }
    }
  }
  if (state.outputs.empty()) return;
  out += "\n\nOutputs:\n\n";
  size_t left = kMostShown;
  for (const auto& [name, output] : state.outputs) {
    out += for_terminal(name.sv());
    out += " = ";
    if (!hides(output, options) && !takes_place(output.value, left, out)) {
      out += '\n';
      continue;
    }
    Arena arena;
    const Diff* d = Differ(arena).typed_value(output.value, output.sensitive);
    print_diff(out, *d, 0, still(options), arena);
    out += '\n';
  }
}

void render_state_instance(const AbsInstance& addr, const InstanceState& instance,
                           const ProviderConfigAddr& provider, const schema::Lookup& schemas,
                           const HumanOptions& options, std::string& out, Diagnostics& diags) {
  if (!instance.current) {
    diags.error("No current object", addr.text() +
                                         " has only objects left over from an incomplete replacement. The "
                                         "next apply will destroy them; use " +
                                         own_command("show") + " to see them.");
    return;
  }
  write_object(addr, "", *instance.current, provider.provider, schemas, options, out, diags);
}

void render_outputs(const OutputMap& outputs, const HumanOptions& options, std::string& out) {
  size_t left = kMostShown;
  for (const auto& [name, output] : outputs) {
    out += is_name(name.sv()) ? std::string(name.sv()) : InstanceKey::quoted(name.sv());
    out += " = ";
    if (hides(output, options))
      out += "<sensitive>";
    else if (takes_place(output.value, left, out))
      out += eval::console_text(output.value);
    out += '\n';
  }
}

void render_outputs_section(const OutputMap& outputs, const HumanOptions& options, std::string& out) {
  if (outputs.empty()) return;
  out += '\n';
  put(out, "Outputs:", Style::BoldGreen, options.color);
  out += "\n\n";
  render_outputs(outputs, options, out);
}

bool check_shown(const Value& v, Diagnostics& diags) {
  if (v.written_size() <= kMostShown) return true;
  diags.error(
      "Output too large to be shown",
      fmt::format(
          "The value of this output counts as {} elements, and at most {} are shown; long strings and "
          "numbers count by their length. Use -json to print it, or -raw for a string or a number.",
          v.written_size(), kMostShown));
  return false;
}

std::string output_value_text(const Value& v) {
  return eval::console_text(v) + "\n";
}

bool output_raw_text(const Value& v, std::string& out, Diagnostics& diags) {
  if (v.is_string()) {
    out += v.as_string();
  } else if (v.is_number()) {
    out += v.as_number().text();
  } else if (v.is_bool()) {
    out += v.as_bool() ? "true" : "false";
  } else if (v.is_null()) {
    diags.error("No raw form", "The value of this output is null, which cannot be printed with -raw.");
    return false;
  } else {
    diags.error("No raw form",
                "Only strings, numbers and bools can be printed with -raw, and this output is " +
                    with_article(v.type().friendly_name()) +
                    ". Use -json for a form that programs can read.");
    return false;
  }
  return true;
}

std::string outputs_json(const OutputMap& outputs) {
  JsonWriter w(2);
  w.begin_object();
  for (const auto& [name, output] : outputs) {
    w.key(name.sv());
    w.begin_object();
    w.member("sensitive", output.sensitive);
    if (!output.deprecated.empty()) w.member("deprecated", output.deprecated);
    w.key("type");
    std::string type = output.value.type().json();
    JsonError error;
    if (auto document = JsonDocument::parse(type, error, kJsonStoredDepth))
      write_type(w, document->root());
    else
      w.string("dynamic");
    w.key("value");
    write_json(w, output.value);
    w.end_object();
  }
  w.end_object();
  return w.take() + "\n";
}

std::string output_json(const Value& v) {
  return to_json(v) + "\n";
}

}  // namespace xplan::render
