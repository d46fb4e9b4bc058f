// The kinds of values, and where each is found.
#include "cmd/xplan/completion_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>

#include "cmd/xplan/session.h"
#include "cmd/xplan/state_access.h"
#include "core/backend/configured.h"
#include "core/base/command_line.h"
#include "core/review/guards.h"

namespace xplan::cmd {
namespace {

// The state of this directory, if it is in a file; empty otherwise.
State local_state(Session& s) {
  const std::unique_ptr<config::Config> c = s.load_structure(s.diags);
  const crypt::Encryption* e = c ? s.encryption(c.get(), {}) : nullptr;
  const backend::Configured at =
      e ? backend::configured(c.get(), s.opening(*e), s.diags) : backend::Configured();
  if (!at.backend || at.settings.kind != "local") return {};
  Result<std::optional<State>> state = at.backend->read(s.workspace());
  return state && *state ? std::move(**state) : State();
}

std::set<std::string> instances(Session& s) {
  std::set<std::string> out;
  const State state = local_state(s);
  for (const auto& [addr, r] : state.resources)
    for (const auto& [key, instance] : r.instances)
      out.insert(AbsInstance{addr.module, addr.resource, key}.text());
  return out;
}

std::set<std::string> module_instances(Session& s) {
  std::set<std::string> out;
  const State state = local_state(s);
  for (const auto& [addr, r] : state.resources)
    for (const ModuleInstance m : addr.module.chain()) out.insert(m.text());
  return out;
}

std::set<std::string> objects(Session& s) {
  std::set<std::string> out = instances(s);
  out.merge(module_instances(s));
  return out;
}

// Also what is only declared.
std::set<std::string> resources(Session& s) {
  std::set<std::string> out = objects(s);
  if (const std::unique_ptr<config::Config> c = s.load_structure(s.diags))
    for (const config::Node* n : c->nodes) {
      if (!n->path.is_root()) out.insert(n->path.text());
      for (const config::Resource& r : n->module->resources)
        out.insert(ConfigResource{n->path, r.addr}.text());
    }
  return out;
}

std::set<std::string> outputs(Session& s) {
  std::set<std::string> out;
  const State state = local_state(s);
  for (const auto& [name, output] : state.outputs) out.emplace(name.sv());
  return out;
}

std::set<std::string> variables(Session& s) {
  std::set<std::string> out;
  if (const std::unique_ptr<config::Config> c = s.load_structure(s.diags))
    for (const config::Variable& v : c->root->module->variables) out.insert(std::string(v.name.sv()) + "=");
  return out;
}

std::set<std::string> workspaces(Session& s) {
  const std::unique_ptr<config::Config> c = s.load_structure(s.diags);
  const crypt::Encryption none;
  const backend::Configured at = backend::configured(c.get(), s.opening(none), s.diags);
  if (!at.backend || at.settings.kind != "local") return {};
  const Result<std::vector<std::string>> names = at.backend->workspaces();
  return names ? std::set<std::string>(names->begin(), names->end()) : std::set<std::string>();
}

// Behind those that are typed already.
std::set<std::string> guards(Session& s) {
  const std::string& last = s.completing->last;
  const size_t equals = last.starts_with('-') ? last.find('=') + 1 : 0, comma = last.rfind(',');
  const std::string before =
      comma == last.npos || comma < equals ? "" : last.substr(equals, comma + 1 - equals);
  std::set<std::string> out;
  for (const std::string& name : review::guard_list()) out.insert(before + name);
  return out;
}

// A row for each name of a value, as help has it. `command`: only there; empty: anywhere.
struct Row {
  std::string_view command, name;
  std::set<std::string> (*values)(Session&);
};
constexpr Row kRows[] = {
    {"state show", "ADDRESS", instances},
    {"state", "ADDRESS", objects},
    {"state", "SOURCE", objects},
    {"taint", "ADDRESS", instances},
    {"untaint", "ADDRESS", instances},
    {"", "ADDRESS", resources},
    {"", "KINDS", guards},
    {"", "'NAME=VALUE'", variables},
    {"console", "MODULE", module_instances},
    {"output", "NAME", outputs},
    {"workspace select", "NAME", workspaces},
    {"workspace delete", "NAME", workspaces},
};

std::vector<std::string> values_of(Session& s, const Flags& f, std::string_view name) {
  std::vector<std::string> out;
  if (name.empty()) return out;
  if (std::none_of(name.begin(), name.end(), [](char c) { return 'a' <= c && c <= 'z'; })) {
    const auto row = std::find_if(std::begin(kRows), std::end(kRows), [&](const Row& r) {
      return r.name == name && f.typed().starts_with(r.command);
    });
    if (row == std::end(kRows)) return out;
    const std::set<std::string> found = row->values(s);
    return {found.begin(), found.end()};
  }
  for (;;) {  // the words of a choice
    const size_t bar = name.find('|');
    out.emplace_back(name.substr(0, bar));
    if (bar == name.npos) return out;
    name.remove_prefix(bar + 1);
  }
}

std::string as_typed(std::string_view word, char quote) {
  const std::string_view special = quote == '\'' ? "" : quote == '"' ? "\"\\$`" : "\"'\\ $`*?;&|<>(){}!#~";
  std::string out;
  for (const char c : word) {
    if (special.find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

std::optional<Files> files_of(std::string_view name) {
  if (name == "DIR") return Files::Directories;
  if (name == "PATH" || name == "FILE" || name.ends_with("|FILE")) return Files::All;
  return std::nullopt;
}

// Where the shell does not know that they are meant.
void offer_value(Session& s, const Flags& f, const std::string& option, const std::string& typed,
                 const std::string& name) {
  for (const std::string& v : values_of(s, f, name)) offer(s, option + v);
  const Completing& c = *s.completing;
  const std::optional<Files> files = files_of(name);
  if (files && (c.elsewhere || (!c.for_bash && !option.empty()))) offer_files(s, option, typed, *files);
}

}  // namespace

void offer_files(Session& s, const std::string& before, const std::string& path, Files which) {
  const size_t slash = path.rfind('/');
  const std::string dir = slash == path.npos ? "" : path.substr(0, slash + 1),
                    begin = path.substr(dir.size());
  std::set<std::string> found;
  std::error_code ec;
  for (const auto& entry : std::filesystem::directory_iterator(dir.empty() ? "." : dir, ec)) {
    const std::string name = entry.path().filename().string();
    const bool is_dir = entry.is_directory(ec), hidden = name.starts_with('.') && !begin.starts_with('.');
    if (!hidden && (is_dir || which == Files::All)) found.insert(dir + name + (is_dir ? "/" : ""));
  }
  for (const std::string& name : found) offer(s, before + name);
}

void offer(Session& s, std::string_view word) {
  const Completing& c = *s.completing;
  if (!word.starts_with(c.last)) return;
  std::string text(word.substr(std::min(c.known, word.size())));
  if (c.for_bash)
    text = as_typed(text, c.quote) + (c.quote || word.ends_with('=') || word.ends_with('/') ? "" : " ");
  s.io.out(text + '\n');
}

void offer_for(Session& s, const Flags& f) {
  const Completing& c = *s.completing;
  const std::string dashes = c.last.starts_with("--") ? "--" : "-";
  if (c.before.starts_with('-') && c.before.find('=') == c.before.npos && f.takes_value(c.before)) {
    return offer_value(s, f, "", c.last, f.value_name(c.before));
  }
  if (!c.last.starts_with('-')) return offer_value(s, f, "", c.last, f.argument_name(c.arguments));
  const size_t equals = c.last.find('=');
  if (equals == c.last.npos) {
    for (const std::string& option : f.option_names()) offer(s, dashes + option.substr(1));
    return;
  }
  const std::string option = c.last.substr(0, equals);
  offer_value(s, f, option + "=", c.last.substr(equals + 1), f.value_name(option));
}

}  // namespace xplan::cmd
