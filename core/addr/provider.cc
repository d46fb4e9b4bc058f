// Provider addresses and provider configuration addresses: parsing with defaults filled in, validity of each
// part, and both texts (full and display form).
#include <algorithm>
#include <cstdlib>

#include "core/addr/addr.h"
#include "core/addr/host.h"
#include "core/base/utf8.h"

namespace xplan {
namespace {

constexpr std::string_view kBuiltinHost = "terraform.io", kBuiltinNamespace = "builtin";

Symbol default_host() {
  static const Symbol host = [] {
    const char* env = std::getenv("XPLAN_DEFAULT_REGISTRY");
    return Symbol(env && *env ? env : "registry.terraform.io");
  }();
  return host;
}

std::string lower(std::string_view s) {
  std::string out(s);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + 32);
  return out;
}

// Letters, digits and single dashes inside. Bytes of other scripts are taken as letters.
bool valid_part(std::string_view s) {
  if (s.empty() || s.front() == '-' || s.back() == '-' || s.find("--") != std::string_view::npos)
    return false;
  for (char c : s) {
    bool ok =
        (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || static_cast<unsigned char>(c) >= 0x80;
    if (!ok) return false;
  }
  return utf8_valid(s);
}

}  // namespace

std::string ProviderAddr::text() const {
  std::string out(host.sv());
  out += '/';
  out += ns.sv();
  out += '/';
  out += type.sv();
  return out;
}

std::string ProviderAddr::display() const {
  if (host != default_host()) return text();
  return std::string(ns.sv()) + "/" + std::string(type.sv());
}

bool ProviderAddr::is_builtin() const {
  return host.sv() == kBuiltinHost && ns.sv() == kBuiltinNamespace;
}

ProviderAddr default_provider(Symbol type) {
  if (type.sv() == "terraform") return {Symbol(kBuiltinHost), Symbol(kBuiltinNamespace), type};
  return {default_host(), Symbol("hashicorp"), type};
}

std::optional<ProviderAddr> parse_provider_addr(std::string_view text) {
  std::string s = lower(text);
  std::string_view parts[3];
  size_t count = 0;
  for (std::string_view rest = s;;) {
    if (count == 3) return std::nullopt;
    size_t slash = rest.find('/');
    parts[count++] = rest.substr(0, slash);
    if (slash == std::string_view::npos) break;
    rest.remove_prefix(slash + 1);
  }
  std::string_view type = parts[count - 1];
  // "-": the unknown namespace of old state files, whose names had underscores.
  std::string plain(type);
  if (count > 1 && parts[count - 2] == "-") std::replace(plain.begin(), plain.end(), '_', 'x');
  // The prefix belongs to the names of repositories and provider programs, never to their addresses.
  if (!valid_part(plain) || type.starts_with("terraform-")) return std::nullopt;
  if (count == 1) return default_provider(Symbol(type));
  std::string_view ns = parts[count - 2];
  if (ns != "-" && !valid_part(ns)) return std::nullopt;
  if (count == 2) return ProviderAddr{default_host(), Symbol(ns), Symbol(type)};
  auto host = normal_host(parts[0]);
  if (!host) return std::nullopt;
  return ProviderAddr{Symbol(*host), Symbol(ns), Symbol(type)};
}

std::string ProviderConfigAddr::text() const {
  std::string out = module.text();
  if (!out.empty()) out += '.';
  out += "provider[" + InstanceKey::quoted(provider.text()) + "]";
  if (!alias.empty()) {
    out += '.';
    out += alias.sv();
  }
  return out + key.text();
}

std::optional<ProviderConfigAddr> parse_provider_config_addr(std::string_view text) {
  ProviderConfigAddr out;
  while (text.starts_with("module.")) {
    text.remove_prefix(7);
    size_t dot = text.find('.');
    if (dot == 0 || dot == std::string_view::npos ||
        text.substr(0, dot).find_first_of("[]\" ") != std::string_view::npos)
      return std::nullopt;
    out.module = out.module.child(Symbol(text.substr(0, dot)));
    text.remove_prefix(dot + 1);
  }
  if (!text.starts_with("provider[\"")) return std::nullopt;
  text.remove_prefix(10);
  size_t end = text.find("\"]");
  if (end == std::string_view::npos) return std::nullopt;
  auto provider = parse_provider_addr(text.substr(0, end));
  if (!provider) return std::nullopt;
  out.provider = *provider;
  text.remove_prefix(end + 2);
  if (text.empty()) return out;
  const std::string_view alias = text.substr(0, text.find('['));
  if (alias[0] != '.' || alias.size() == 1 || alias.find_first_of("]\". ", 1) != std::string_view::npos)
    return std::nullopt;
  out.alias = Symbol(alias.substr(1));
  if (alias.size() == text.size()) return out;
  const auto keyed = parse_module_instance("module.x" + std::string(text.substr(alias.size())));
  if (!keyed || keyed->depth() != 1 || keyed->key().none()) return std::nullopt;
  out.key = keyed->key();
  return out;
}

}  // namespace xplan
