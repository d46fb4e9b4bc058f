// The rules for what a registry states, and the checksums of all platforms that it may list.
#include "core/install/registry_policy.h"

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "core/config/dialect.h"

namespace xplan::install {
namespace {

bool asked(const char* variable) {
  const char* v = std::getenv(variable);
  return v && std::string_view(v) == "true";
}

// In a scheme that is known, and of its form: what is written to the lock file.
bool is_hash(std::string_view s) {
  if (s.starts_with("zh:")) return is_sha256(s.substr(3));
  return s.starts_with("h1:") && s.size() == 47 && s.ends_with('=') &&
         std::all_of(s.begin() + 3, s.end() - 1, [](unsigned char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '+' ||
                  c == '/';
         });
}

}  // namespace

bool counts_unsigned(const ProviderAddr& p) {
  return p.host.sv() == "registry.opentofu.org" && config::has_additions() &&
         !asked("OPENTOFU_ENFORCE_GPG_VALIDATION");
}

bool refuses_expired_keys() {
  return config::has_additions() && asked("OPENTOFU_ENFORCE_GPG_EXPIRATION");
}

bool is_sha256(std::string_view s) {
  return s.size() == 64 && s.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

Result<std::set<std::string>> hashes_of_platforms(const Json& answer, const Platform& platform,
                                                  const std::string& sum) {
  std::set<std::string> out;
  const Json* packages = object_in(answer, "packages");
  if (!packages || packages->empty()) return out;
  bool ours = false;
  for (const auto& [name, about] : packages->items()) {
    const Json* hashes = about.is_object() ? list_in(about, "hashes") : nullptr;
    if (!hashes) continue;
    for (const Json& h : *hashes) {
      const std::string text = h.is_string() ? h.get<std::string>() : "";
      if (!is_hash(text)) continue;
      const bool own = name == platform.text();
      if (own && text.starts_with("zh:") && text.substr(3) != sum)
        return Error{"the registry lists another checksum for " + name + " than that of its package"};
      ours |= own;
      out.insert(text);
    }
  }
  if (!ours) return Error{"the registry lists checksums of platforms, but none for " + platform.text()};
  return out;
}

}  // namespace xplan::install
