// Reads modules.json, and compares what is installed with what a call asks for.
#include "core/config/installed_modules.h"

#include "core/base/command_line.h"
#include "core/base/json_reader.h"
#include "core/config/decode.h"
#include "core/config/module_source.h"
#include "core/config/version.h"
#include "core/net/redact.h"

namespace xplan::config {

const InstalledModules::Entry* InstalledModules::find(const std::string& key) {
  if (!read_) read();
  auto it = entries_.find(key);
  return it == entries_.end() || !fs_.is_dir(it->second.dir) ? nullptr : &it->second;
}

std::optional<std::string> InstalledModules::directory_for(const ModuleCall& call, const ModuleFrom& asked,
                                                           const std::string& key, const Report& report) {
  const Result<ModuleSource> source = parse_module_source(asked.source);
  const Entry* found = find(key);
  if (!found) {
    if (asked.source.find_first_of("/:.") == std::string::npos)
      report("Invalid module source",
             in_quotes(asked.source) + " is not a valid module source. For a local directory, write " +
                 in_quotes("./" + asked.source) + ".",
             call.source_range);
    else
      report("Module not installed",
             "The module " + in_quotes(call.name.sv()) + " has the source " + asked.source +
                 " and is not installed in this working directory. Run " + own_command("init") +
                 " to install it.",
             call.range);
    return std::nullopt;
  }
  const Result<ModuleSource> from = parse_module_source(found->source);
  if (source && from && source->text != from->text) {
    report("Module source has changed",
           "The source of module " + in_quotes(call.name.sv()) + " is " +
               net::without_credentials(asked.source) + " now, but the installed module has the source " +
               net::without_credentials(found->source) + ". Run " + own_command("init") + " to install it.",
           call.range);
    return std::nullopt;
  }
  if (!asked.version.empty() && !found->version.empty()) {
    const Result<VersionConstraints> constraint = parse_version_constraints(asked.version);
    const std::optional<Version> version = parse_version(found->version);
    if (constraint && version && !constraint->matches(*version)) {
      report("Module not installed",
             "The module " + in_quotes(call.name.sv()) + " is installed with version " + found->version +
                 ", which the constraint " + in_quotes(asked.version) + " does not allow. Run " +
                 own_command("init") + " to install another version.",
             call.range);
      return std::nullopt;
    }
  }
  return found->dir;
}

void InstalledModules::read() {
  read_ = true;
  const std::string path = join_path(data_dir_, "modules/modules.json");
  if (!fs_.exists(path)) return;
  Result<std::string> text = fs_.read(path);
  if (!text) {
    diags_.error("Unreadable module manifest",
                 "The list of installed modules cannot be read: " + text.error().message + ".");
    return;
  }
  JsonError error;
  std::unique_ptr<JsonDocument> doc = JsonDocument::parse(*text, error);
  const JsonNode* list = doc && doc->root().is_object() ? doc->root().find("Modules") : nullptr;
  if (!list || !list->is_array()) {
    diags_.error("Unreadable module manifest",
                 "The list of installed modules, " + path + ", is damaged" +
                     (doc ? std::string(": it has no array \"Modules\"") : ": " + error.text(*text)) +
                     ". Run " + own_command("init") + " to create it again.");
    return;
  }
  for (const JsonNode* item : list->items) {
    if (!item->is_object()) continue;
    auto text_of = [&](std::string_view name) {
      const JsonNode* n = item->find(name);
      return n ? std::string(n->str()) : std::string();
    };
    if (text_of("Dir").empty()) continue;  // it says nothing of where the module is
    entries_[text_of("Key")] = {text_of("Source"), text_of("Version"), clean_path(text_of("Dir"))};
  }
}

}  // namespace xplan::config
