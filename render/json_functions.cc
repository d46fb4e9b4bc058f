// Function signatures as JSON.
#include "render/json_functions.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <string>

namespace xplan::render {
namespace {

// Of an earlier language: they still work where they worked, and nobody is to be offered them.
constexpr std::string_view kRetired[] = {"list", "map"};

void write_parameter(const eval::Param& p, JsonWriter& w) {
  w.begin_object();
  w.member("name", p.name);
  if (p.allow_null) w.member("is_nullable", true);
  w.key("type");
  w.raw(p.type.json());
  w.end_object();
}

void write_function(const eval::Function& f, JsonWriter& w) {
  w.begin_object();
  w.member("description", f.description);
  w.key("return_type");
  w.raw(eval::signature_type(f).json());
  if (!f.params.empty()) {
    w.key("parameters");
    w.begin_array();
    for (const eval::Param& p : f.params) write_parameter(p, w);
    w.end_array();
  }
  if (f.variadic) {
    w.key("variadic_parameter");
    write_parameter(*f.variadic, w);
  }
  w.end_object();
}

}  // namespace

void write_functions_json(const eval::FunctionTable& table, JsonWriter& w) {
  std::map<std::string, const eval::Function*> all;
  for (std::string_view name : table.names()) {
    if (std::find(std::begin(kRetired), std::end(kRetired), name) != std::end(kRetired)) continue;
    const eval::Function* f = table.find(name);
    all.emplace(name, f);
    all.emplace("core::" + std::string(name), f);
  }
  w.begin_object();
  w.member("format_version", "1.0");
  w.key("function_signatures");
  w.begin_object();
  for (const auto& [name, f] : all) {
    w.key(name);
    write_function(*f, w);
  }
  w.end_object();
  w.end_object();
}

}  // namespace xplan::render
