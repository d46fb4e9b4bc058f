// The plugin program: options, cookie, protocol negotiation, handshake line. What is served is in serving.cc.
#include <fmt/format.h>
#include <unistd.h>
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>

#include "core/base/write_all.h"
#include "core/provider/kit/docs.h"
#include "core/provider/kit/server/serving.h"

namespace xplan::kit {
namespace {

constexpr const char* kCookie = "TF_PLUGIN_MAGIC_COOKIE";
constexpr const char* kCookieValue = "d602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2";

std::string env(const char* name) {
  const char* v = getenv(name);
  return v ? v : "";
}

int fail(const std::string& why) {
  fprintf(stderr, "%s\n", why.c_str());
  return 1;
}

// The newest of `ours` that the client offers ("5,6", in any order); 0: none. Old clients offer nothing.
int negotiate(const std::string& offered, const std::vector<int>& ours) {
  if (offered.empty()) return ours.empty() ? 0 : *std::min_element(ours.begin(), ours.end());
  int best = 0;
  size_t from = 0;
  while (from <= offered.size()) {
    size_t to = std::min(offered.find(',', from), offered.size());
    int n = atoi(offered.substr(from, to - from).c_str());
    if (n > best && std::find(ours.begin(), ours.end(), n) != ours.end()) best = n;
    from = to + 1;
  }
  return best;
}

// "notes" of /usr/bin/terraform-provider-notes_v1.2.
std::string provider_name(std::string_view program) {
  program = program.substr(program.find_last_of('/') + 1);
  if (constexpr std::string_view kPrefix = "terraform-provider-"; program.starts_with(kPrefix))
    program.remove_prefix(kPrefix.size());
  return std::string(program.substr(0, program.find('_')));
}

int write_docs(xplan::Provider& provider, std::string_view name, const std::string& dir) {
  const auto* declared = dynamic_cast<const Provider*>(&provider);
  if (!declared) return fail("Only a provider that is made with the kit has documentation.");
  Result<void> done = write_documentation(*declared, name, dir);
  return done ? 0 : fail("The documentation was not written: " + done.error().message + ".");
}

}  // namespace

int serve(xplan::Provider& provider, int argc, char** argv, const ServeOptions& options) {
  const pid_t parent = getppid();  // first of all: it may be gone before we listen
  const std::string name = provider_name(argc > 0 && argv ? argv[0] : "");
  if (argc == 3 && std::string_view(argv[1]) == "-docs") return write_docs(provider, name, argv[2]);
  if (env(kCookie) != kCookieValue)
    return fail(options.name +
                " is a provider plugin. It is not meant to be run directly: xplan, Terraform and OpenTofu "
                "start it when a configuration requires it.");
  int protocol = negotiate(env("PLUGIN_PROTOCOL_VERSIONS"), options.protocols);
  if (!protocol)
    return fail("The client supports the protocol versions \"" + env("PLUGIN_PROTOCOL_VERSIONS") +
                "\", but this provider supports none of them.");
  signal(SIGINT, SIG_IGN);  // the client decides: it is in the same process group and gets the signal too
  signal(SIGPIPE, SIG_IGN);
  log_as_program(name, getenv, [](std::string_view line) { (void)write_all(STDERR_FILENO, line); });

  Result<std::unique_ptr<Serving>> serving =
      Serving::start(provider, options, protocol, env("PLUGIN_CLIENT_CERT"));
  if (!serving) return fail(serving.error().sentence());
  printf("1|%d|unix|%s|grpc|%s\n", protocol, (*serving)->socket().c_str(), (*serving)->certificate().c_str());
  fflush(stdout);
  if (!(*serving)->wait(parent)) provider.stop();  // nobody waits for running calls any more
  return 0;
}

}  // namespace xplan::kit
