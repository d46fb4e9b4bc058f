// The configuration inside a plan file: collects the source files and the module manifest, writes and reads
// their entries.
#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "core/base/json_reader.h"
#include "core/base/json_writer.h"
#include "core/config/tree.h"
#include "planfile/entries.h"

namespace xplan::planfile {
namespace {

constexpr std::string_view kDataDir = ".terraform";

std::string key_of(Module path) {
  std::string key;
  for (Symbol step : path.steps()) {
    if (!key.empty()) key += '.';
    key += step.sv();
  }
  return key;
}

// {"Key","Source","Version","Dir"}, of the snapshot or of the list of installed modules.
void write_module(JsonWriter& w, const ConfigModule& m) {
  w.begin_object();
  w.member("Key", m.key);
  if (!m.source.empty()) w.member("Source", m.source);
  if (!m.version.empty()) w.member("Version", m.version);
  w.member("Dir", m.dir);
  w.end_object();
}

}  // namespace

ConfigSnapshot snapshot_of(const config::Config& config,
                           const std::function<std::string(const syntax::File&)>& text_of) {
  ConfigSnapshot out;
  for (const config::Node* n : config.nodes) {
    ConfigModule m;
    m.key = key_of(n->path);
    m.dir = n->module->dir;
    if (n->call) m.source = n->from.source;
    for (const auto& f : n->module->files) {
      std::string_view name = f->name;
      if (size_t slash = name.rfind('/'); slash != name.npos) name.remove_prefix(slash + 1);
      m.files.push_back({std::string(name), text_of ? text_of(*f) : std::string(f->text)});
    }
    out.modules.push_back(std::move(m));
  }
  std::sort(out.modules.begin(), out.modules.end(),
            [](const ConfigModule& a, const ConfigModule& b) { return a.key < b.key; });
  return out;
}

void add_snapshot(ZipWriter& zip, const ConfigSnapshot& config) {
  for (const ConfigModule& m : config.modules) {
    const std::string prefix = fmt::format("{}{}/", kConfigPrefix, m.key);
    for (const ConfigFile& f : m.files) zip.add_text(prefix + f.name, f.text);
  }
  JsonWriter w(2);
  w.begin_array();
  for (const ConfigModule& m : config.modules) write_module(w, m);
  w.end_array();
  zip.add_text(std::string(kModulesEntry), w.take());
}

Result<void> read_snapshot(ZipReader& zip, Opened& out) {
  auto damaged = [](std::string why) {
    return Error{"The configuration in the plan file is damaged: " + std::move(why) + ". Create a new plan"};
  };
  Result<std::string> text = zip.read(std::string(kModulesEntry), kMaxSmallEntry);
  if (!text) return text.error();
  JsonError error;
  auto doc = JsonDocument::parse(*text, error);
  if (!doc) return damaged("the list of its modules is not valid JSON: " + error.text(*text));
  if (!doc->root().is_array()) return damaged("the list of its modules is not an array");
  std::unordered_map<std::string, std::string> dirs;  // by key
  std::vector<ConfigModule> modules;
  if (doc->root().items.size() > config::kMaxNodes) return damaged("it has too many modules");
  for (const JsonNode* item : doc->root().items) {
    if (!item->is_object()) return damaged("a module in its list is not an object");
    auto member = [&](std::string_view name) {
      const JsonNode* n = item->find(name);
      return n ? std::string(n->str()) : std::string();
    };
    ConfigModule m{member("Key"), clean_path(member("Dir")), member("Source"), member("Version"), {}};
    if (!dirs.emplace(m.key, m.dir).second) return damaged("the module \"" + m.key + "\" is listed twice");
    // A directory without files would not exist.
    out.fs.files.emplace(join_path(m.dir, ".snapshot"), "");
    modules.push_back(std::move(m));
  }
  auto root = dirs.find("");
  if (root == dirs.end()) return damaged("it has no root module");
  out.root_dir = root->second;
  out.data_dir = kDataDir;
  uint64_t total = 0;
  for (const std::string& name : zip.names()) {
    if (!name.starts_with(kConfigPrefix)) continue;
    std::string_view rest = std::string_view(name).substr(kConfigPrefix.size());
    size_t slash = rest.find('/');
    if (slash == rest.npos || slash + 1 == rest.size()) continue;
    auto dir = dirs.find(std::string(rest.substr(0, slash)));
    if (dir == dirs.end()) return damaged("the file " + name + " does not belong to any module");
    if (rest.find('/', slash + 1) != rest.npos)
      continue;  // files in directories below a module are not configuration
    Result<std::string> file = zip.read(name, kMaxSmallEntry);
    if (!file) return file.error();
    total += file->size();
    if (total > 4 * kMaxSmallEntry) return damaged("it is larger than a configuration can be");
    out.fs.files[join_path(dir->second, rest.substr(slash + 1))] = std::move(*file);
  }
  JsonWriter w;
  w.begin_object();
  w.key("Modules");
  w.begin_array();
  for (const ConfigModule& m : modules) write_module(w, m);
  w.end_array();
  w.end_object();
  out.fs.files[join_path(join_path(out.data_dir, "modules"), "modules.json")] = w.take();
  return {};
}

}  // namespace xplan::planfile
