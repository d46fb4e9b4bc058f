// The user's files of profiles: ~/.aws/credentials and ~/.aws/config, or those that are named instead.
#include "core/base/fs.h"
#include "core/base/text.h"
#include "core/cloud/aws_sources.h"

#include <cstdlib>
#include <memory>

namespace xplan::cloud {
namespace {

// "profile x", "profile \"x\"" → "x"; "" where the section is of another type.
std::string named(std::string_view section, std::string_view type) {
  if (!section.starts_with(type) || section.size() == type.size()) return {};
  const char space = section[type.size()];
  if (space != ' ' && space != '\t') return {};
  std::string_view name = trimmed(section.substr(type.size()));
  if (name.size() >= 2 && (name[0] == '"' || name[0] == '\'') && name.back() == name[0])
    name = name.substr(1, name.size() - 2);
  return std::string(name);
}

void merge(IniSection& into, const IniSection& from) {
  for (const auto& [name, value] : from) into[name] = value;
}

void add_config(AwsProfiles& all, const Ini& ini) {
  for (const auto& [section, values] : ini) {
    if (section == "default") merge(all.profiles[section], values);
    if (const std::string name = named(section, "profile"); !name.empty()) merge(all.profiles[name], values);
    if (const std::string name = named(section, "sso-session"); !name.empty())
      merge(all.sso_sessions[name], values);
    if (const std::string name = named(section, "services"); !name.empty()) merge(all.services[name], values);
  }
}

std::string expanded(const std::string& path) {
  return path.starts_with("~/") ? home_file(path.substr(2)) : path;
}

// The files that are named must be there; those of the user need not.
Result<std::vector<Ini>> read_all(const std::vector<std::string>& given, const char* name) {
  std::vector<Ini> out;
  std::vector<std::string> files = given;
  if (files.empty()) files.push_back(home_file(name));
  for (const std::string& file : files) {
    const std::string path = expanded(file);
    if (given.empty() && !real_fs().exists(path)) continue;
    const Result<std::string> text = real_fs().read(path);
    if (!text) return text.error();
    out.push_back(parse_ini(*text));
  }
  return out;
}

}  // namespace

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

std::string home_file(std::string_view name) {
  return join_path(variable("HOME"), name);
}

std::string value_in(const IniSection& section, std::string_view name) {
  const auto it = section.find(name);
  return it == section.end() ? std::string() : it->second;
}

Result<AwsProfiles> read_profiles(const AwsSettings& s) {
  AwsProfiles out;
  const auto configs = read_all(s.config_files, ".aws/config");
  if (!configs) return configs.error();
  const auto credentials = read_all(s.credentials_files, ".aws/credentials");
  if (!credentials) return credentials.error();
  for (const Ini& ini : *configs) add_config(out, ini);
  for (const Ini& ini : *credentials)
    for (const auto& [section, values] : ini) {
      // A token belongs to its keys.
      if (values.count("aws_access_key_id")) out.profiles[section].erase("aws_session_token");
      merge(out.profiles[section], values);
    }
  return out;
}

}  // namespace xplan::cloud
