// Pages of documentation: front matter, description, example, and the schema as nested lists.
#include "core/provider/kit/docs.h"

#include <fmt/format.h>
#include <algorithm>
#include <filesystem>

#include "core/base/fs.h"
#include "core/base/json_writer.h"
#include "core/value/json.h"

namespace xplan::kit {
namespace {

std::string words_of(Type t) {
  switch (t.kind()) {
    case TypeKind::String:
      return "String";
    case TypeKind::Number:
      return "Number";
    case TypeKind::Bool:
      return "Boolean";
    case TypeKind::List:
      return "List of " + words_of(t.element());
    case TypeKind::Set:
      return "Set of " + words_of(t.element());
    case TypeKind::Map:
      return "Map of " + words_of(t.element());
    case TypeKind::Object:
      return "Object";
    case TypeKind::Tuple:
      return "Tuple";
    case TypeKind::Dynamic:
    case TypeKind::Capsule:
      break;
  }
  return "Dynamic";
}

std::string type_words(const Field& f) {
  if (f.kind == Field::Kind::Attribute) return words_of(f.info.type);
  std::string out = f.kind == Field::Kind::Block ? "Block" : "Attributes";
  if (f.nesting == Nesting::List) out += " List";
  if (f.nesting == Nesting::Set) out += " Set";
  if (f.nesting == Nesting::Map) out += " Map";
  if (f.min_items) out += fmt::format(", Min: {}", f.min_items);
  if (f.max_items) out += fmt::format(", Max: {}", f.max_items);
  return out;
}

std::string one_line(std::string_view text) {
  std::string out;
  for (char c : text)
    if (c != '\n')
      out += c;
    else if (!out.empty() && out.back() != ' ')
      out += ' ';
  return out;
}

void sentence(std::string& out, std::string_view text) {
  if (text.empty()) return;
  out += ' ';
  out += one_line(text);
  if (!out.ends_with('.')) out += '.';
}

enum class Group : uint8_t { Required, Optional, ReadOnly };
Group group_of(const Field& f) {
  if (f.kind == Field::Kind::Block) return f.min_items > 0 ? Group::Required : Group::Optional;
  return f.info.required ? Group::Required : f.info.optional ? Group::Optional : Group::ReadOnly;
}

// Where what is inside a field is described.
std::string anchor(const std::string& path) {
  std::string out = "nested--" + path;
  for (size_t at; (at = out.find('.')) != std::string::npos;) out.replace(at, 1, "--");
  return out;
}

std::string line_of(const Field& f, const std::string& path) {
  std::string out = fmt::format("- `{}` ({}", f.info.name.sv(), type_words(f));
  if (f.info.sensitive) out += ", Sensitive";
  if (f.info.write_only) out += ", Write-only";
  if (!f.info.deprecation_message.empty()) out += ", Deprecated";
  out += ")";
  sentence(out, f.info.description);
  if (f.default_value) sentence(out, fmt::format("Default: `{}`", to_json(*f.default_value)));
  sentence(out, f.default_text.empty() ? "" : "Default: " + f.default_text);
  for (const Validator& v : f.validators) sentence(out, v.description);
  for (const PlanModifier& m : f.modifiers)
    if (m.for_users) sentence(out, m.description);
  sentence(out, f.info.deprecation_message);
  if (!f.fields.empty()) out += fmt::format(" (see [below](#{}))", anchor(path));
  return out + "\n";
}

void add_schema(std::string& out, const std::vector<Field>& fields, const std::string& path) {
  std::vector<const Field*> sorted;
  for (const Field& f : fields) sorted.push_back(&f);
  std::sort(sorted.begin(), sorted.end(),
            [](const Field* a, const Field* b) { return a->info.name.sv() < b->info.name.sv(); });
  auto inner = [&](const Field& f) {
    return (path.empty() ? "" : path + ".") + std::string(f.info.name.sv());
  };
  for (auto [group, title] : {std::pair(Group::Required, "Required"), std::pair(Group::Optional, "Optional"),
                              std::pair(Group::ReadOnly, "Read-Only")}) {
    std::string lines;
    for (const Field* f : sorted)
      if (group_of(*f) == group) lines += line_of(*f, inner(*f));
    if (lines.empty()) continue;
    out +=
        path.empty() ? fmt::format("\n### {}\n\n{}", title, lines) : fmt::format("\n{}:\n\n{}", title, lines);
  }
  for (const Field* f : sorted) {
    if (f->fields.empty()) continue;
    out += fmt::format("\n<a id=\"{}\"></a>\n### Nested Schema for `{}`\n", anchor(inner(*f)), inner(*f));
    add_schema(out, f->fields, inner(*f));
  }
}

std::string begin_page(std::string_view title, std::string_view description) {
  std::string_view first = description.substr(0, std::min(description.find("\n\n"), description.size()));
  std::string out = "---\npage_title: ";
  append_json_string(out, title);
  out += "\nsubcategory: \"\"\ndescription: |-\n  " + one_line(first) + "\n---\n";
  return out;
}

std::string page(std::string_view heading, std::string_view title, const Schema& s) {
  std::string out = begin_page(title, s.description);
  out += fmt::format("\n# {}\n", heading);
  if (!s.description.empty()) out += fmt::format("\n{}\n", s.description);
  if (!s.deprecation_message.empty()) out += fmt::format("\n~> **Deprecated** {}\n", s.deprecation_message);
  if (!s.example.empty())
    out += fmt::format("\n## Example Usage\n\n```terraform\n{}{}```\n", s.example,
                       s.example.ends_with('\n') ? "" : "\n");
  if (s.fields.empty()) return out;
  out += "\n## Schema\n";
  for (const Validator& v : s.rules) out += fmt::format("\n{}\n", v.description);
  add_schema(out, s.fields, "");
  return out;
}

std::string function_page(std::string_view function, std::string_view provider,
                          const schema::FunctionSignature& f) {
  std::string out = begin_page(fmt::format("{} function - {}", function, provider), f.summary);
  out += fmt::format("\n# function: {}\n", function);
  for (const std::string& text : {f.summary, f.description})
    if (!text.empty()) out += fmt::format("\n{}\n", text);
  std::string parameters, list;
  auto add = [&](const schema::FunctionParameter& p, bool variadic) {
    parameters += fmt::format("{}{} {}", parameters.empty() ? "" : ", ", p.name, p.type.constraint_text());
    if (variadic) parameters += "...";
    list += fmt::format("{}. `{}` ({}{})", std::count(list.begin(), list.end(), '\n') + 1, p.name,
                        variadic ? "Variadic, " : "", words_of(p.type));
    if (p.allow_null) sentence(list, "May be null");
    sentence(list, p.description);
    list += "\n";
  };
  for (const schema::FunctionParameter& p : f.params) add(p, false);
  if (f.variadic) add(*f.variadic, true);
  out += fmt::format("\n## Signature\n\n```text\n{}({}) {}\n```\n", function, parameters,
                     f.returns.constraint_text());
  if (!list.empty()) out += "\n## Arguments\n\n" + list;
  return out;
}

}  // namespace

std::map<std::string, std::string> documentation(const Provider& p, std::string_view name) {
  std::map<std::string, std::string> pages;
  const schema::ProviderSchema& s = *p.schema();
  pages["docs/index.md"] =
      page(fmt::format("{} Provider", name), fmt::format("{} Provider", name), p.declared_config());
  const std::string prefix = std::string(name) + "_";
  auto add = [&](Mode mode, const auto& list, std::string_view folder, std::string_view what) {
    for (const auto& [type, schema] : list) {
      std::string_view file = type.sv();
      if (file.starts_with(prefix)) file.remove_prefix(prefix.size());
      const Schema* declared = p.declared(mode, type);
      if (declared)
        pages[fmt::format("docs/{}/{}.md", folder, file)] =
            page(fmt::format("{} ({})", type.sv(), what), fmt::format("{} {} - {}", type.sv(), what, name),
                 *declared);
    }
  };
  add(Mode::Managed, s.managed, "resources", "Resource");
  add(Mode::Data, s.data, "data-sources", "Data Source");
  add(Mode::Ephemeral, s.ephemeral, "ephemeral-resources", "Ephemeral Resource");
  for (const auto& [function, signature] : s.functions)
    pages[fmt::format("docs/functions/{}.md", function.sv())] = function_page(function.sv(), name, signature);
  return pages;
}

Result<void> write_documentation(const Provider& p, std::string_view name, const std::string& dir) {
  for (const auto& [path, text] : documentation(p, name)) {
    const std::filesystem::path file = std::filesystem::path(dir) / path;
    std::error_code failed;
    std::filesystem::create_directories(file.parent_path(), failed);
    if (failed)
      return Error{fmt::format("cannot create {}: {}", file.parent_path().string(), failed.message())};
    if (Result<void> done = write_atomic(file.string(), text); !done) return done.error();
  }
  return {};
}

}  // namespace xplan::kit
