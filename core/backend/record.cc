// The record of a backend: reading and writing .terraform/terraform.tfstate.
#include "core/backend/record.h"

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/base/atomic_file.h"
#include "core/base/document.h"
#include "core/base/fs.h"
#include "core/base/json_writer.h"
#include "core/config/version.h"
#include "core/value/json.h"

namespace xplan::backend {
namespace {

std::string record_path(const std::string& data_dir) {
  return join_path(data_dir, "terraform.tfstate");
}

void write_variables(JsonWriter& w, const BlockVariables& variables) {
  w.key("variables");
  w.begin_object();
  for (const auto& [name, value] : variables) {
    w.key(name);
    value ? w.string(*value) : w.null();
  }
  w.end_object();
}

}  // namespace

Result<std::optional<Record>> read_record(const std::string& data_dir) {
  const std::string path = record_path(data_dir);
  if (!real_fs().exists(path)) return std::optional<Record>();
  Result<std::string> text = real_fs().read(path);
  if (!text) return text.error();
  const auto doc = parse_document(*text);
  if (!doc)
    return Error{fmt::format("{} is not a backend record written by init: it {}", path, doc.error().message)};
  const Json* b = object_in(*doc, "backend");
  const std::string kind = b ? string_in(*b, "type") : "";
  if (kind.empty()) return std::optional<Record>();
  const Json* config = object_in(*b, "config");
  Result<Settings> settings = parse_settings(kind, config ? config->dump() : "");
  if (!settings) return Error{fmt::format("{} cannot be used: {}", path, settings.error().message)};
  const Json* hash = member(*b, "hash");
  Record out{std::move(*settings), hash && hash->is_number_unsigned() ? hash->get<uint32_t>() : 0};
  if (const Json* variables = object_in(*b, "variables"))
    for (const auto& [name, value] : variables->items())
      out.variables[name] = value.is_string() ? std::optional(value.get<std::string>()) : std::nullopt;
  return std::optional(std::move(out));
}

Result<void> write_record(const std::string& data_dir, const std::optional<Record>& r) {
  const std::string path = record_path(data_dir);
  if (!r && !real_fs().exists(path)) return {};
  JsonWriter w(2);
  w.begin_object();
  w.member("version", 3);
  w.member("terraform_version", kLanguageVersion);
  if (r) {
    w.key("backend");
    w.begin_object();
    w.member("type", r->settings.kind);
    w.key("config");
    const auto [kept, shape] = r->settings.recorded();
    write_json_as(w, kept, shape);
    w.member("hash", static_cast<int64_t>(r->block_hash));
    if (!r->variables.empty()) write_variables(w, r->variables);
    w.end_object();
  }
  w.end_object();
  std::error_code failed;  // then writing fails
  std::filesystem::create_directories(data_dir, failed);
  return write_private(path, w.take());
}

}  // namespace xplan::backend
