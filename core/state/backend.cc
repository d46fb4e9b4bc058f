// The backend's settings and the record of them in .terraform/terraform.tfstate: JSON form, hash, reading
// and writing.
#include "core/state/backend.h"

#include <fmt/format.h>

#include <charconv>
#include <filesystem>

#include "core/base/fs.h"
#include "core/base/json_reader.h"
#include "core/base/json_writer.h"
#include "core/config/version.h"
#include "core/state/journal_line.h"
#include "core/value/set_order.h"

namespace xplan {
namespace {

using Setting = std::optional<std::string> Backend::*;
constexpr std::pair<std::string_view, Setting> kSettings[] = {{"path", &Backend::path},
                                                              {"workspace_dir", &Backend::workspace_dir}};

Backend settings_of(const JsonNode* config) {
  Backend out;
  for (auto [name, setting] : kSettings)
    if (const JsonNode* n = config ? config->find(name) : nullptr; n && n->is_string())
      out.*setting = std::string(n->str());
  return out;
}

void put_settings(JsonWriter& w, const Backend& b) {
  w.begin_object();
  for (auto [name, setting] : kSettings) {
    w.key(name);
    b.*setting ? w.string(*(b.*setting)) : w.null();
  }
  w.end_object();
}

std::string record_path(const std::string& data_dir) {
  return join_path(data_dir, "terraform.tfstate");
}

}  // namespace

std::string Backend::json() const {
  JsonWriter w;
  put_settings(w, *this);
  return w.take();
}

// The sum that the field's tools take: of the type and the settings, as an element of a set is hashed.
uint32_t Backend::hash() const {
  std::vector<std::pair<Symbol, Value>> settings;
  for (auto [name, setting] : kSettings)
    settings.emplace_back(Symbol(name),
                          this->*setting ? Value::string(*(this->*setting)) : Value::null(Type::string()));
  std::string key;
  append_set_key(key, Value::tuple({Value::string("local"), Value::object(std::move(settings))}));
  return checksum(key);
}

Workspaces Backend::workspaces(std::string data_dir) const {
  Workspaces w;
  w.data_dir = std::move(data_dir);
  if (workspace_dir && !workspace_dir->empty()) w.workspace_dir = *workspace_dir;
  return w;
}

std::string Backend::state_path(const Workspaces& w, const std::string& workspace) const {
  return w.state_path(workspace, path && !path->empty() ? *path : "terraform.tfstate");
}

Result<Backend> parse_backend(const std::string& json) {
  if (json.empty()) return Backend();
  JsonError error;
  auto doc = JsonDocument::parse(json, error);
  if (!doc || !doc->root().is_object()) return Error{"the backend settings in it are damaged"};
  return settings_of(&doc->root());
}

Result<std::optional<BackendRecord>> read_backend_record(const std::string& data_dir) {
  const std::string path = record_path(data_dir);
  if (!real_fs().exists(path)) return std::optional<BackendRecord>();
  Result<std::string> text = real_fs().read(path);
  if (!text) return text.error();
  JsonError error;
  auto doc = JsonDocument::parse(*text, error);
  if (!doc || !doc->root().is_object())
    return Error{fmt::format("{} is not a backend record written by init", path)};
  const JsonNode* b = doc->root().find("backend");
  const JsonNode* type = b && b->is_object() ? b->find("type") : nullptr;
  if (!type || type->str().empty()) return std::optional<BackendRecord>();
  BackendRecord out;
  out.type = std::string(type->str());
  out.settings = settings_of(b->find("config"));
  if (const JsonNode* h = b->find("hash"); h && h->is_number())
    std::from_chars(h->text.data(), h->text.data() + h->text.size(), out.block_hash);
  return std::optional(std::move(out));
}

Result<void> write_backend_record(const std::string& data_dir, const std::optional<BackendRecord>& r) {
  const std::string path = record_path(data_dir);
  if (!r && !real_fs().exists(path)) return {};
  JsonWriter w(2);
  w.begin_object();
  w.member("version", 3);
  w.member("terraform_version", kLanguageVersion);
  if (r) {
    w.key("backend");
    w.begin_object();
    w.member("type", r->type);
    w.key("config");
    put_settings(w, r->settings);
    w.member("hash", static_cast<int64_t>(r->block_hash));
    w.end_object();
  }
  w.end_object();
  std::error_code failed;  // then writing fails
  std::filesystem::create_directories(data_dir, failed);
  return write_atomic(path, w.take());
}

}  // namespace xplan
