// Reads documents through nlohmann_json, and looks things up in them without exceptions.
#include "core/base/document.h"

#include <nlohmann/json.hpp>

namespace xplan {
namespace {

constexpr int kDepth = 100;
constexpr size_t kValues = 500'000;

// Before parsing, so that a text of nothing but brackets costs no memory. Each value but the first stands
// behind one of these marks. Empty: nothing is.
std::string_view problem_of(std::string_view text) {
  int depth = 0;
  size_t values = 1;
  bool in_string = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\')
        ++i;
      else
        in_string = c != '"';
      continue;
    }
    in_string = c == '"';
    if (c == '[' || c == '{') {
      if (++depth > kDepth) return "is nested too deeply";
    } else if (c == ']' || c == '}') {
      --depth;
    }
    if (c == '[' || c == '{' || c == ',' || c == ':')
      if (++values > kValues) return "has too many values";
  }
  return {};
}

Result<Json> parse(std::string_view text) {
  if (const std::string_view problem = problem_of(text); !problem.empty()) return Error{std::string(problem)};
  return Json::parse(text.begin(), text.end(), nullptr, false);
}

}  // namespace

Result<Json> parse_document(std::string_view text) {
  Result<Json> out = parse(text);
  if (out && !out->is_object()) return Error{"is not a JSON object"};
  return out;
}

Result<Json> parse_list_document(std::string_view text) {
  Result<Json> out = parse(text);
  if (out && !out->is_array()) return Error{"is not a JSON array"};
  return out;
}

const Json* member(const Json& object, std::string_view name) {
  if (!object.is_object()) return nullptr;
  const auto it = object.find(name);
  return it == object.end() ? nullptr : &*it;
}

const Json* list_in(const Json& object, std::string_view name) {
  const Json* x = member(object, name);
  return x && x->is_array() ? x : nullptr;
}

const Json* object_in(const Json& object, std::string_view name) {
  const Json* x = member(object, name);
  return x && x->is_object() ? x : nullptr;
}

std::string document_text(const Json& document) {
  return document.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string string_in(const Json& object, std::string_view name) {
  const Json* x = member(object, name);
  return x && x->is_string() ? x->get_ref<const std::string&>() : std::string();
}

}  // namespace xplan
