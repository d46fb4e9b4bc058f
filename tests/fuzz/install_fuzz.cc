// The dependency lock file, the CLI configuration and documents of hosts.
#include "core/hosts/cli_config.h"
#include "core/hosts/discovery.h"
#include "core/install/lock_file.h"
#include "tests/fuzz/target.h"

namespace xplan::fuzz {
namespace {

void run_lock(std::string_view bytes) {
  SourceTable sources;
  Diagnostics diags;
  auto lock = install::parse_lock_file(sources, ".terraform.lock.hcl", std::string(bytes), diags);
  must(lock.has_value() != diags.has_errors(), "a lock file or an error");
  if (!lock) return;
  auto again = install::parse_lock_file(sources, ".terraform.lock.hcl", lock->text("xplan"), diags);
  must(again && *again == *lock, "a lock file that is written can be read");
}

std::vector<std::string> lock_seeds() {
  return {
      "provider \"registry.terraform.io/hashicorp/null\" {\n  version     = \"3.2.1\"\n  constraints = \">= "
      "3.0.0, ~> 3.2\"\n"
      "  hashes = [\n    \"h1:abcdefgh\",\n    \"zh:0123456789abcdef\",\n  ]\n}\n\nprovider "
      "\"example.com:8443/a/b\" {\n"
      "  version = \"1.0.0-beta.1+build\"\n}\n"};
}

void run_cli(std::string_view bytes) {
  SourceTable sources;
  Diagnostics diags;
  hosts::CliConfig out;
  auto env = [](const char*) -> const char* { return nullptr; };
  hosts::read_cli_file(sources, "rc", std::string(bytes), env, out, diags);
  for (const Diagnostic& d : diags.all()) {
    ResolvedRange r;
    sources.resolve(d.subject, r);
  }
}

std::vector<std::string> cli_seeds() {
  return {
      "plugin_cache_dir = \"$HOME/cache\" # here\ndisable_checkpoint = true\ncredentials \"app.example.com\" "
      "{\n  token = \"x\\u0041\"\n}\n"
      "host \"h\" {\n  services = {\n    \"modules.v1\" = \"https://h/m/\"\n  }\n}\n",
      "provider_installation {\n  dev_overrides {\n    \"ns/type\" = \"/d\"\n  }\n  filesystem_mirror {\n    "
      "path    = \"/m\"\n"
      "    include = [\"a/*\", \"h/b/c\"]\n  }\n  network_mirror {\n    url = \"https://m/\"\n  }\n  direct "
      "{\n    exclude = [\"a/*\"]\n  }\n}\n",
      R"({"credentials":{"h":{"token":"t"}},"provider_installation":{"direct":{}}})"};
}

void run_discovery(std::string_view bytes) {
  const auto services = hosts::services_in(bytes, "https://example.com/.well-known/terraform.json");
  if (!services)
    return must(services.error().message.find('\n') == std::string::npos, "an error is one line");
  for (const auto& [name, url] : *services)
    must(!url.empty() && url.find_first_of("\n\r") == url.npos, "a URL is one line");
}

std::vector<std::string> discovery_seeds() {
  return {
      R"({"modules.v1":"/v1/modules/","providers.v1":"https://p.example.com/v1","tfe.v2":"../api/v2?x#y"})",
      R"({"login.v1":{"client":"c","grant_types":["authz_code"],"ports":[10000,10010]},"x":7,"y":null})"};
}

}  // namespace

const Target lock_file = {run_lock, lock_seeds};
const Target cli_config = {run_cli, cli_seeds};
const Target discovery = {run_discovery, discovery_seeds};

}  // namespace xplan::fuzz
