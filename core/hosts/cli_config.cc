// Reads the CLI configuration (provider_installation, plugin_cache_dir, credentials, host, dev_overrides)
// from its files and the environment.
#include "core/hosts/cli_config.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "core/addr/host.h"
#include "core/base/fs.h"
#include "core/base/text.h"
#include "core/hosts/cli_syntax.h"
#include "core/net/url.h"

namespace xplan::hosts {
namespace {

constexpr const char* kControls =
    " contains control characters, such as a line break, so it cannot be sent. Set the token without them.";

// $NAME and ${NAME}; unknown ones are empty, as in a shell.
std::string expand(const std::string& s, const Environment& env) {
  std::string out;
  for (size_t i = 0; i < s.size(); ++i) {
    if (s[i] != '$' || i + 1 == s.size()) {
      out += s[i];
      continue;
    }
    const bool braces = s[i + 1] == '{';
    size_t begin = i + 1 + braces, end = begin;
    while (end < s.size() && (std::isalnum(static_cast<unsigned char>(s[end])) || s[end] == '_')) ++end;
    if (end == begin || (braces && (end == s.size() || s[end] != '}'))) {
      out += s[i];
      continue;
    }
    if (const char* v = env(s.substr(begin, end - begin).c_str())) out += v;
    i = braces ? end : end - 1;
  }
  return out;
}

class FileReader {
 public:
  FileReader(const Environment& env, CliConfig& out, Diagnostics& diags)
      : env_(env), out_(out), diags_(diags) {}

  void read(const CliValue& file) {
    for (const CliItem& i : file.object) {
      if (i.name == "plugin_cache_dir") {
        if (auto t = text(i)) out_.plugin_cache_dir = expand(*t, env_);
      } else if (i.name == "plugin_cache_may_break_dependency_lock_file") {
        if (i.value.kind == CliValue::Kind::Bool)
          out_.cache_may_break_lock = i.value.text == "true";
        else
          wrong(i, "true or false");
      } else if (i.name == "credentials") {
        credentials(i);
      } else if (i.name == "host") {
        host(i);
      } else if (i.name == "provider_installation") {
        installation(i);
      } else if (i.name == "credentials_helper") {
        helper(i);
      } else if (i.name == "review") {
        review(i);
      } else if (i.name == "oci_credentials") {
        oci_credentials(i);
      } else if (i.name == "oci_default_credentials") {
        oci_defaults(i);
      } else if (i.name == "registry_protocols") {
        limits(i);
      } else if (std::find(std::begin(kAccepted), std::end(kAccepted), i.name) == std::end(kAccepted)) {
        std::vector<std::string_view> names{"plugin_cache_dir",
                                            "provider_installation",
                                            "credentials",
                                            "host",
                                            "plugin_cache_may_break_dependency_lock_file",
                                            "review"};
        std::string_view near = did_you_mean(i.name, names);
        diags_.warn("Unknown setting in the CLI configuration",
                    in_quotes(i.name) + " is not a setting of the CLI configuration file and has no effect." +
                        (near.empty() ? "" : " Did you mean " + in_quotes(near) + "?"),
                    i.range);
      }
    }
  }

 private:
  static constexpr std::string_view kAccepted[] = {"disable_checkpoint", "disable_checkpoint_signature",
                                                   "providers", "provisioners"};

  void wrong(const CliItem& i, std::string_view expected) {
    diags_.error("Invalid setting in the CLI configuration",
                 in_quotes(i.name) + " must be " + std::string(expected) + ".",
                 i.value.range.valid() ? i.value.range : i.range);
  }
  std::optional<std::string> text(const CliItem& i) {
    if (i.value.kind == CliValue::Kind::Text) return i.value.text;
    return wrong(i, "a string"), std::nullopt;
  }
  std::optional<std::string> host_of_block(const CliItem& i, std::string_view what) {
    if (i.labels.size() == 1 && i.value.kind == CliValue::Kind::Object) {
      std::optional<std::string> host = normal_host(i.labels[0]);
      if (!host)
        diags_.error("Invalid host name in the CLI configuration",
                     in_quotes(i.labels[0]) + " is not a valid host name.", i.range);
      return host;
    }
    diags_.error("Invalid setting in the CLI configuration",
                 "A " + in_quotes(what) + " block must have one label, the host name: " + std::string(what) +
                     " \"app.example.com\" { … }.",
                 i.range);
    return std::nullopt;
  }

  void credentials(const CliItem& i) {
    const auto host = host_of_block(i, "credentials");
    if (!host) return;
    for (const CliItem& x : i.value.object) {
      if (x.name != "token") continue;
      auto t = text(x);
      if (t && net::has_controls(*t))
        diags_.error("Invalid token in the CLI configuration",
                     "The token for " + in_quotes(*host) + kControls, x.value.range);
      else if (t)
        out_.tokens[*host] = *t;
    }
  }

  // Which program has the credentials; in a block of a registry, or for all of them.
  void oci_helper(const CliItem& x, std::string& out) {
    const auto name = text(x);
    if (name && !is_oci_helper(*name))
      wrong(x, "the name of a credentials helper (the NAME in docker-credential-NAME)");
    else if (name)
      out = *name;
  }

  void oci_credentials(const CliItem& i) {
    const bool fine = i.labels.size() == 1 && i.value.kind == CliValue::Kind::Object;
    const std::string label = fine ? i.labels[0] : "";
    const size_t slash = std::min(label.find('/'), label.size());
    if (!fine || slash == 0 || label.ends_with('/') || label.find("//") != label.npos ||
        net::has_controls(label)) {
      diags_.error("Invalid setting in the CLI configuration",
                   "An \"oci_credentials\" block must have one label: a registry, optionally followed by the "
                   "beginning of a repository. Write oci_credentials \"example.com/team\" { … }.",
                   i.range);
      return;
    }
    OciEntry e{ascii_lower(label.substr(0, slash)) + label.substr(slash), {}, ""};
    for (const OciEntry& other : out_.oci.entries)
      if (other.pattern == e.pattern) {
        diags_.error("Repeated oci_credentials block",
                     "There is already an oci_credentials block for " + in_quotes(label) + ".", i.range);
        return;
      }
    const std::pair<std::string_view, std::string*> kTexts[] = {
        {"username", &e.credentials.user},
        {"password", &e.credentials.password},
        {"access_token", &e.credentials.access_token},
        {"refresh_token", &e.credentials.refresh_token}};
    for (const CliItem& x : i.value.object) {
      const auto* row =
          std::find_if(std::begin(kTexts), std::end(kTexts), [&](auto& t) { return t.first == x.name; });
      if (x.name == "docker_credentials_helper")
        oci_helper(x, e.helper);
      else if (row == std::end(kTexts))
        diags_.error(
            "Unknown setting in the CLI configuration",
            in_quotes(x.name) +
                " is not an argument of oci_credentials. These are username and password, access_token and "
                "refresh_token, or docker_credentials_helper.",
            x.range);
      else if (auto t = text(x))
        *row->second = *t;
    }
    const OciCredentials& c = e.credentials;
    const int ways = (!c.user.empty() || !c.password.empty()) +
                     (!c.access_token.empty() || !c.refresh_token.empty()) + !e.helper.empty();
    if (ways == 1 && c.user.empty() == c.password.empty())
      out_.oci.entries.push_back(std::move(e));
    else if (!diags_.has_errors())
      diags_.error(
          "Invalid oci_credentials block",
          "An oci_credentials block has username and password, or access_token and refresh_token, or "
          "docker_credentials_helper, and only one of these.",
          i.range);
  }

  void oci_defaults(const CliItem& i) {
    if (!i.labels.empty() || i.value.kind != CliValue::Kind::Object)
      return wrong(i, "a block without labels");
    if (std::exchange(out_.oci.has_defaults, true)) {
      diags_.error("Repeated oci_default_credentials block",
                   "There is already an oci_default_credentials block, and there can be only one.", i.range);
      return;
    }
    for (const CliItem& x : i.value.object) {
      if (x.name == "docker_credentials_helper") {
        OciEntry all;
        oci_helper(x, all.helper);
        if (!all.helper.empty()) out_.oci.entries.push_back(std::move(all));
      } else if (x.name == "discover_ambient_credentials") {
        if (x.value.kind != CliValue::Kind::Bool) return wrong(x, "true or false");
        out_.oci.discover = x.value.text == "true";
      } else if (x.name == "docker_style_config_files") {
        if (x.value.kind != CliValue::Kind::List) return wrong(x, "a list of strings");
        out_.oci.files.emplace();
        for (const CliValue& v : x.value.list)
          if (v.kind == CliValue::Kind::Text)
            out_.oci.files->push_back(expand(v.text, env_));
          else
            wrong(x, "a list of strings");
      } else {
        diags_.error(
            "Unknown setting in the CLI configuration",
            in_quotes(x.name) +
                " is not an argument of oci_default_credentials. These are discover_ambient_credentials, "
                "docker_style_config_files and docker_credentials_helper.",
            x.range);
      }
    }
  }

  // A whole number in numbers or quotes.
  std::optional<int> number(const CliItem& i) {
    int n = 0;
    const std::string& t = i.value.text;
    const auto [end, failed] = std::from_chars(t.data(), t.data() + t.size(), n);
    if (failed == std::errc() && end == t.data() + t.size() && n >= 0) return n;
    return wrong(i, "a whole number that is not negative"), std::nullopt;
  }

  void limits(const CliItem& i) {
    if (!i.labels.empty() || i.value.kind != CliValue::Kind::Object)
      return wrong(i, "a block without labels");
    for (const CliItem& x : i.value.object) {
      if (x.name == "retry_count")
        out_.limits.retries = number(x);
      else if (x.name == "request_timeout_seconds")
        out_.limits.seconds = number(x);
      else
        diags_.error("Unknown setting in the CLI configuration",
                     "A registry_protocols block can only contain retry_count and request_timeout_seconds, "
                     "not " +
                         in_quotes(x.name) + ".",
                     x.range);
    }
  }

  // A rule that is not understood must not be taken for none.
  void review(const CliItem& i) {
    if (!i.labels.empty() || i.value.kind != CliValue::Kind::Object)
      return wrong(i, "a block without labels");
    for (const CliItem& x : i.value.object) {
      if (x.name == "data_types") {
        if (auto t = text(x)) out_.review.data_types = expand(*t, env_);
        continue;
      }
      if (x.name != "fail_on" && x.name != "allow") {
        diags_.error(
            "Unknown setting in the CLI configuration",
            "A review block can only contain fail_on, allow and data_types, not " + in_quotes(x.name) + ".",
            x.range);
        continue;
      }
      std::vector<std::string>& into = x.name == "allow" ? out_.review.allow : out_.review.fail_on;
      if (x.value.kind != CliValue::Kind::List) {
        wrong(x, "a list of strings");
        continue;
      }
      for (const CliValue& v : x.value.list)
        if (v.kind == CliValue::Kind::Text)
          into.push_back(v.text);
        else
          wrong(x, "a list of strings");
    }
  }

  void helper(const CliItem& i) {
    constexpr std::string_view kAllowed = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";
    const bool named = i.labels.size() == 1 && !i.labels[0].empty() && i.value.kind == CliValue::Kind::Object;
    if (!named || i.labels[0].find_first_not_of(kAllowed) != std::string::npos) {
      diags_.error("Invalid setting in the CLI configuration",
                   "A \"credentials_helper\" block must have one label, the name of the helper, of letters, "
                   "digits, hyphens and underscores: credentials_helper \"example\" { … }.",
                   i.range);
      return;
    }
    if (out_.helper) {
      diags_.error("Repeated credentials_helper block",
                   "There is already a credentials_helper block, and there can be only one.", i.range);
      return;
    }
    CredentialsHelper h{i.labels[0], {}};
    for (const CliItem& x : i.value.object) {
      if (x.name != "args") continue;
      if (x.value.kind != CliValue::Kind::List) return wrong(x, "a list of strings");
      for (const CliValue& v : x.value.list) h.arguments.push_back(v.text);
    }
    out_.helper = std::move(h);
  }

  void host(const CliItem& i) {
    const auto name = host_of_block(i, "host");
    if (!name) return;
    auto& services = out_.services[*name];
    for (const CliItem& x : i.value.object) {
      if (x.name != "services") continue;
      if (x.value.kind != CliValue::Kind::Object) {
        wrong(x, "an object of URLs by service");
        continue;
      }
      for (const CliItem& s : x.value.object) {
        if (s.value.kind == CliValue::Kind::Text) services[s.name] = s.value.text;
      }
    }
  }

  void installation(const CliItem& i) {
    if (out_.has_installation) {
      diags_.error("Repeated provider_installation block",
                   "There is already a provider_installation block. Put all methods in one block, because "
                   "they are tried together.",
                   i.range);
      return;
    }
    out_.has_installation = true;
    if (i.value.kind != CliValue::Kind::Object) return wrong(i, "a block");
    for (const CliItem& m : i.value.object) {
      if (m.value.kind != CliValue::Kind::Object) {
        wrong(m, "a block of an installation method");
      } else if (m.name == "dev_overrides") {
        overrides(m);
      } else if (m.name == "direct") {
        method(m, InstallMethod::Kind::Direct, "");
      } else if (m.name == "filesystem_mirror") {
        method(m, InstallMethod::Kind::Filesystem, "path");
      } else if (m.name == "network_mirror") {
        method(m, InstallMethod::Kind::Network, "url");
      } else if (m.name == "oci_mirror") {
        method(m, InstallMethod::Kind::Oci, "repository_template");
      } else {
        diags_.error("Unknown installation method",
                     in_quotes(m.name) +
                         " is not a valid installation method. The supported methods are filesystem_mirror, "
                         "network_mirror, oci_mirror, direct and dev_overrides.",
                     m.range);
      }
    }
  }

  void overrides(const CliItem& m) {
    for (const CliItem& x : m.value.object) {
      std::optional<ProviderAddr> p = parse_provider_addr(x.name);
      if (!p) {
        diags_.error(
            "Invalid provider address",
            in_quotes(x.name) +
                " is not a valid provider address, which has the form namespace/type or host/namespace/type.",
            x.range);
      } else if (auto dir = text(x)) {
        out_.dev_overrides[p->text()] = *dir;
      }
    }
  }

  void patterns(const CliItem& x, std::vector<std::string>& out) {
    if (x.value.kind != CliValue::Kind::List) return wrong(x, "a list of patterns");
    for (const CliValue& v : x.value.list) {
      std::string full = ascii_lower(v.text);
      const auto slashes = std::count(full.begin(), full.end(), '/');
      if (slashes == 1) full = "registry.terraform.io/" + full;
      const size_t slash = std::min(full.find('/'), full.size());
      const std::string host = full.substr(0, slash);
      const std::string normal = host == "*" ? host : normal_host(host).value_or("");
      full.replace(0, slash, normal);
      if (v.kind != CliValue::Kind::Text || slashes < 1 || slashes > 2 || normal.empty() ||
          full.find("//") != std::string::npos || full.back() == '/') {
        diags_.error("Invalid provider pattern",
                     in_quotes(v.text) +
                         " is not a valid pattern. Patterns have the form host/namespace/type or "
                         "namespace/type, and each part can be an asterisk.",
                     v.range);
        continue;
      }
      out.push_back(std::move(full));
    }
  }

  void method(const CliItem& m, InstallMethod::Kind kind, std::string_view location) {
    InstallMethod out;
    out.kind = kind;
    bool ok = true;
    for (const CliItem& x : m.value.object) {
      if (x.name == "include") {
        patterns(x, out.include);
      } else if (x.name == "exclude") {
        patterns(x, out.exclude);
      } else if (!location.empty() && x.name == location) {
        auto t = text(x);
        if (t) out.location = *t;
        ok &= t.has_value();
      } else if (x.name == "download_retry_count") {
        out.retries = number(x);
      } else if (x.name != "trust_all_hashes") {
        diags_.warn("Unknown setting in the CLI configuration",
                    in_quotes(x.name) + " is not a setting of " + m.name + " and has no effect.", x.range);
      }
    }
    if (ok && !location.empty() && out.location.empty()) {
      diags_.error(
          "Missing setting in the CLI configuration",
          "The block " + m.name + " must set its location with the argument " + in_quotes(location) + ".",
          m.range);
      return;
    }
    if (kind == InstallMethod::Kind::Oci && ok)
      if (const std::string problem = oci_template_problem(out.location, out.include); !problem.empty()) {
        diags_.error("Invalid setting in the CLI configuration",
                     "The repository_template of oci_mirror " + problem + ".", m.range);
        return;
      }
    if (kind == InstallMethod::Kind::Network) {
      if (!out.location.starts_with("https://")) {
        diags_.error("Invalid setting in the CLI configuration",
                     "The URL of a network mirror must begin with https://, because otherwise the packages "
                     "could be replaced in transit.",
                     m.range);
        return;
      }
      if (out.location.back() != '/') out.location += '/';
    }
    if (ok) out_.methods.push_back(std::move(out));
  }

  const Environment& env_;
  CliConfig& out_;
  Diagnostics& diags_;
};

bool part_matches(std::string_view pattern, std::string_view text) {
  return pattern == "*" || pattern == text;
}

bool matches(std::string_view pattern, const ProviderAddr& p) {
  const size_t a = pattern.find('/'), b = pattern.find('/', a + 1);
  return b != std::string_view::npos && part_matches(pattern.substr(0, a), p.host.sv()) &&
         part_matches(pattern.substr(a + 1, b - a - 1), p.ns.sv()) &&
         part_matches(pattern.substr(b + 1), p.type.sv());
}

// TF_TOKEN_app_example_com: underscores are dots, two of them a hyphen.
std::string host_of_variable(std::string_view name) {
  std::string out;
  for (size_t i = 0; i < name.size(); ++i) {
    if (name[i] == '_' && i + 1 < name.size() && name[i + 1] == '_')
      out += '-', ++i;
    else
      out += name[i] == '_' ? '.' : name[i];
  }
  return normal_host(out).value_or(out);
}

void read_one(SourceTable& sources, const std::string& path, const Environment& env, CliConfig& out,
              Diagnostics& diags) {
  auto names = [&](const char* variable) {
    const char* v = env(variable);
    return v && path == v;
  };
  Result<std::string> text = real_fs().read(path);
  if (text) return read_cli_file(sources, path, std::move(*text), env, out, diags);
  const bool first = names("TF_CLI_CONFIG_FILE"), given = first || names("TERRAFORM_CONFIG");
  diags.warn(std::string(given && !real_fs().exists(path) ? kMissingCliFile : kUnreadableCliFile),
             text.error().sentence() +
                 (given ? std::string(first ? " TF_CLI_CONFIG_FILE" : " TERRAFORM_CONFIG") +
                              " names this file. Correct the variable or unset it; until then, no CLI "
                              "configuration is used."
                        : " Its settings have no effect."));
}

CliFiles looked_for = CliFiles::Both;

std::string value_of(const Environment& env, const char* name) {
  const char* v = env(name);
  return v ? v : "";
}

std::string given_file(const Environment& env) {
  const std::string given = value_of(env, "TF_CLI_CONFIG_FILE");
  return given.empty() ? value_of(env, "TERRAFORM_CONFIG") : given;
}

// That are there, of a user whose environment names none: those in the home directory, or what stands for
// them.
std::vector<std::string> files_of_user(const Environment& env) {
  std::vector<std::string> out;
  const std::string home = value_of(env, "HOME");
  if (home.empty()) return out;
  std::vector<std::string> names{home + "/.terraformrc"};
  if (looked_for != CliFiles::Terraform)
    names.insert(looked_for == CliFiles::OpenTofu ? names.begin() : names.end(), home + "/.tofurc");
  std::string dir = home + "/.terraform.d";
  const std::string xdg = value_of(env, "XDG_CONFIG_HOME");
  if (looked_for != CliFiles::Terraform && !xdg.empty()) {
    names.push_back(xdg + "/opentofu/tofurc");
    if (!real_fs().exists(dir)) dir = xdg + "/opentofu";
  }
  const auto first =
      std::find_if(names.begin(), names.end(), [](const std::string& n) { return real_fs().exists(n); });
  if (first != names.end()) out.push_back(*first);
  if (!real_fs().is_dir(dir)) return out;
  if (auto inside = real_fs().list(dir))
    for (const std::string& n : *inside)
      if (n.ends_with(".tfrc") || n.ends_with(".tfrc.json")) out.push_back(dir + "/" + n);
  return out;
}

}  // namespace

void use_cli_files(CliFiles which) {
  looked_for = which;
}
CliFiles cli_files() {
  return looked_for;
}

void report_missing_cli_file(const Environment& env, Diagnostics& diags) {
  SourceTable unread;
  CliConfig nothing;
  const std::string given = given_file(env);
  if (!given.empty() && !real_fs().exists(given)) read_one(unread, given, env, nothing, diags);
}

void forget_missing_cli_file(Diagnostics& diags) {
  std::erase_if(diags.mutable_all(), [](const Diagnostic& d) { return d.summary == kMissingCliFile; });
}

namespace {

constexpr std::string_view kParts[] = {"hostname", "namespace", "type"};

}  // namespace

std::string oci_repository(std::string_view repository_template, const ProviderAddr& p) {
  const std::string_view values[] = {p.host.sv(), p.ns.sv(), p.type.sv()};
  std::string out(repository_template);
  for (size_t i = 0; i < std::size(kParts); ++i) {
    const std::string name = "${" + std::string(kParts[i]) + "}";
    for (size_t at = 0; (at = out.find(name, at)) != std::string::npos; at += values[i].size())
      out.replace(at, name.size(), values[i]);
  }
  return out;
}

std::string oci_template_problem(const std::string& text, const std::vector<std::string>& include) {
  const ProviderAddr example{Symbol("example.com"), Symbol("namespace"), Symbol("type")};
  const std::string all = "; write example.com/providers/${namespace}/${type}, for example";
  if (oci_repository(text, example).find("${") != std::string::npos)
    return "can refer to ${hostname}, ${namespace} and ${type} alone" + all;
  for (size_t i = 0; i < std::size(kParts); ++i) {
    if (text.find("${" + std::string(kParts[i]) + "}") != std::string::npos) continue;
    std::vector<std::string> chosen;
    for (const std::string& pattern : include) {
      size_t begin = 0;
      for (size_t part = 0; part < i; ++part) begin = pattern.find('/', begin) + 1;
      std::string one = pattern.substr(begin, pattern.find('/', begin) - begin);
      if (one != "*" && std::find(chosen.begin(), chosen.end(), one) == chosen.end())
        chosen.push_back(std::move(one));
    }
    if (chosen.size() != 1)
      return "must refer to ${" + std::string(kParts[i]) +
             "}, because \"include\" allows more than one, and they would have the same repository";
  }
  return "";
}

bool InstallMethod::accepts(const ProviderAddr& p) const {
  auto any = [&](const std::vector<std::string>& patterns) {
    return std::any_of(patterns.begin(), patterns.end(), [&](const std::string& x) { return matches(x, p); });
  };
  return !any(exclude) && (include.empty() || any(include));
}

void read_cli_file(SourceTable& sources, const std::string& path, std::string text, const Environment& env,
                   CliConfig& out, Diagnostics& diags) {
  if (auto file = parse_cli_file(sources, path, std::move(text), diags))
    FileReader(env, out, diags).read(*file);
}

CliConfig load_cli_config(SourceTable& sources, const Environment& env, char** all, Diagnostics& diags) {
  CliConfig out;
  auto variable = [&](const char* name) { return value_of(env, name); };
  if (const std::string given = given_file(env); !given.empty()) {
    read_one(sources, given, env, out, diags);
  } else {
    for (const std::string& path : files_of_user(env)) read_one(sources, path, env, out, diags);
  }
  if (std::string dir = variable("TF_PLUGIN_CACHE_DIR"); !dir.empty()) out.plugin_cache_dir = dir;
  if (std::string v = variable("TF_PLUGIN_CACHE_MAY_BREAK_DEPENDENCY_LOCK_FILE"); !v.empty() && v != "0")
    out.cache_may_break_lock = true;
  for (char** e = all; e && *e; ++e) {
    std::string_view s = *e;
    const size_t eq = s.find('=');
    if (!s.starts_with("TF_TOKEN_") || eq == std::string_view::npos || eq <= 9) continue;
    if (net::has_controls(s.substr(eq + 1)))
      diags.error("Invalid token in an environment variable",
                  "The value of " + std::string(s.substr(0, eq)) + kControls);
    else
      out.tokens[host_of_variable(s.substr(9, eq - 9))] = s.substr(eq + 1);
  }
  return out;
}

}  // namespace xplan::hosts
