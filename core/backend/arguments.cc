// Arguments of backends: the schema that a table describes, and values from settings, environment or default.
#include "core/backend/arguments.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>

#include "core/base/check.h"

namespace xplan::backend {
namespace {

void add(std::vector<schema::Attribute>& to, std::span<const Argument> arguments) {
  for (const Argument& a : arguments) {
    schema::Attribute& out = to.emplace_back();
    out.name = Symbol(a.name);
    out.type = a.type();
    out.optional = true;
    out.sensitive = a.sensitive;
    out.description = a.question;
  }
}

std::string from_environment(std::string_view names) {
  while (!names.empty()) {
    const size_t end = std::min(names.find(' '), names.size());
    const char* value = std::getenv(std::string(names.substr(0, end)).c_str());
    if (value && *value) return value;
    names.remove_prefix(std::min(end + 1, names.size()));
  }
  return {};
}

std::string text_of(const Value& v) {
  if (v.is_bool()) return v.as_bool() ? "true" : "false";
  if (v.is_number()) return v.as_number().text();
  return v.is_string() ? std::string(v.as_string()) : std::string();
}

}  // namespace

schema::Block schema_of(std::span<const Argument> arguments, std::initializer_list<NestedArguments> blocks,
                        std::initializer_list<NestedArguments> objects) {
  schema::Block out;
  add(out.attributes, arguments);
  for (const NestedArguments& n : blocks) {
    schema::NestedBlock& b = out.blocks.emplace_back();
    b.type_name = Symbol(n.name);
    b.nesting = n.nesting;
    b.max_items = 1;
    b.block = std::make_shared<schema::Block>();
    add(b.block->attributes, n.arguments);
  }
  for (const NestedArguments& n : objects) {
    schema::Attribute& a = out.attributes.emplace_back();
    a.name = Symbol(n.name);
    a.optional = true;
    a.nested = std::make_shared<schema::Object>();
    add(a.nested->attributes, n.arguments);
    a.type = a.nested->implied_type();
  }
  out.freeze();
  return out;
}

const Argument& Arguments::row(std::string_view name) const {
  const auto a =
      std::find_if(table_.begin(), table_.end(), [&](const Argument& a) { return a.name == name; });
  XPLAN_CHECK(a != table_.end());
  return *a;
}

const Value& Arguments::value(std::string_view name) const {
  static const Value none;
  if (settings_.is_null()) return none;
  return *settings_.find_attr(row(name).name);
}

std::string Arguments::text(std::string_view name) const {
  const Argument& a = row(name);
  if (std::string set = text_of(value(name)); !set.empty()) return set;
  if (std::string set = from_environment(a.environment); !set.empty()) return set;
  return std::string(a.otherwise);
}

Result<bool> Arguments::flag(std::string_view name) const {
  const std::string said = text(name);
  for (std::string_view yes : {"1", "t", "T", "true", "True", "TRUE"})
    if (said == yes) return true;
  for (std::string_view no : {"", "0", "f", "F", "false", "False", "FALSE"})
    if (said == no) return false;
  return Error{fmt::format("the argument \"{}\" must be true or false, not \"{}\"", name, said)};
}

Result<int64_t> Arguments::number(std::string_view name) const {
  const std::string said = text(name);
  int64_t out = 0;
  const auto [end, problem] = std::from_chars(said.data(), said.data() + said.size(), out);
  if (problem == std::errc() && end == said.data() + said.size()) return out;
  return Error{fmt::format("the argument \"{}\" must be a whole number, not \"{}\"", name, said)};
}

std::vector<std::string> Arguments::list(std::string_view name) const {
  std::vector<std::string> out;
  const Value& v = value(name);
  if (!v.is_null())
    for (const Value& e : v.elements())
      if (e.is_string()) out.emplace_back(e.as_string());
  return out;
}

std::string Arguments::empty(std::initializer_list<std::string_view> names, std::string_view block) const {
  for (const std::string_view name : names)
    if (const Value& v = value(name); !v.is_null() && v.is_string() && v.as_string().empty())
      return fmt::format("the argument \"{}{}{}\" must not be empty; leave it out where it is not needed",
                         block, block.empty() ? "" : ".", name);
  return {};
}

std::string Arguments::missing(std::initializer_list<std::string_view> names) const {
  std::string list, options;
  size_t n = 0;
  for (const std::string_view name : names) {
    if (is_set(name)) continue;
    ++n;
    list += fmt::format("{}\"{}\"", n == 1 ? "" : ", ", name);
    options += fmt::format("{}-backend-config=\"{}=…\"", n == 1 ? "" : " ", name);
  }
  if (n == 0) return {};
  if (n > 1) list.replace(list.rfind(", "), 2, " and ");
  return fmt::format("the argument{} {} {} required; set {} in the backend block, or with {}",
                     n == 1 ? "" : "s", list, n == 1 ? "is" : "are", n == 1 ? "it" : "them", options);
}

}  // namespace xplan::backend
