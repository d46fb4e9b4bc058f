// Help that is not that of one command: the program's own ("xplan -help": its commands, the options before
// them, environment variables) and that of groups such as "state"; running a command of a group; the error
// for an unknown command. The help of one command is made by cli.cc, from its options.
#include "cmd/xplan/help.h"

#include "cmd/xplan/newer.h"
#include "core/base/command_line.h"

#include <fmt/format.h>

namespace xplan::cmd {
namespace {

std::vector<HelpRow> variables() {
  return {
      {"TF_VAR_NAME", "Value of the input variable NAME."},
      {"TF_CLI_ARGS", "Options for every command; TF_CLI_ARGS_plan: options for plan, and so on."},
      {"TF_DATA_DIR", "Directory to use instead of .terraform."},
      {"TF_HTTP_ADDRESS",
       "Arguments of the backend http: TF_HTTP_ followed by the name of the argument in capitals."},
      {"PG_CONN_STR",
       "Arguments of the backend pg: PG_ followed by the name of the argument in capitals; also PGHOST and "
       "the other variables of libpq."},
      {"AWS_REGION", "Arguments and credentials of the backend s3, as for the tools of that service."},
      {"ARM_ACCESS_KEY",
       "Arguments and credentials of the backend azurerm: for most, ARM_ followed by the name of the "
       "argument in capitals."},
      {"GOOGLE_CREDENTIALS",
       "Arguments and credentials of the backend gcs; also GOOGLE_BACKEND_CREDENTIALS, "
       "GOOGLE_APPLICATION_CREDENTIALS and others, as for the tools of that service."},
      {"CONSUL_HTTP_ADDR",
       "Arguments of the backend consul: CONSUL_HTTP_TOKEN, CONSUL_CACERT and others, as for the tools of "
       "that service."},
      {"TENCENTCLOUD_SECRET_ID",
       "Arguments and credentials of the backend cos, as for the tools of that service."},
      {"ALICLOUD_ACCESS_KEY",
       "Arguments and credentials of the backend oss, as for the tools of that service."},
      {"KUBE_CONFIG_PATH",
       "Arguments of the backend kubernetes: KUBE_CONFIG_PATHS, KUBE_NAMESPACE, KUBE_TOKEN and others."},
      {"TF_WORKSPACE", "Workspace to use instead of the selected one."},
      {"TF_ENCRYPTION",
       "Overrides the encryption block of the configuration, in the same syntax or as JSON."},
      {"TF_STATE_PERSIST_INTERVAL",
       "Seconds between two writes of a state on a server while changes are made (at least 20)."},
      {"TF_INPUT", "0 or false: do not ask for missing values or approval."},
      {"TF_IN_AUTOMATION", "Not empty: leave out advice on which command to run next."},
      {"TF_LOG",
       "Log to standard error: TRACE, DEBUG, INFO, WARN, ERROR, JSON or OFF. TF_LOG_CORE, TF_LOG_PROVIDER "
       "and TF_LOG_CLOUD set the level of one part; XPLAN_LOG and so on take precedence."},
      {"TF_LOG_PATH", "File to append the log to."},
      {"TF_CLI_CONFIG_FILE", "CLI configuration file to read."},
      {"XDG_CONFIG_HOME",
       "Its directory opentofu has the CLI configuration where the home directory has none; not when run as "
       "terraform."},
      {"TF_PLUGIN_CACHE_DIR", "Directory for sharing downloaded providers."},
      {"TF_CLOUD_ORGANIZATION", "Arguments of the cloud block; also TF_CLOUD_HOSTNAME and TF_CLOUD_PROJECT."},
      {"TF_TOKEN_HOST",
       "Token for a host of registries or states, with _ for each dot in the name of the host."},
      {"HTTPS_PROXY",
       "Proxy for requests; also HTTP_PROXY for those without TLS, and NO_PROXY for hosts that are reached "
       "without one."},
      {"SSL_CERT_FILE",
       "File with the certificates of the authorities to trust instead of those of the system; SSL_CERT_DIR "
       "is a directory of them."},
      {"TF_TEMPLATE_RECURSION_DEPTH", "How many templates may be rendered inside of one another (1024)."},
      {"TF_REATTACH_PROVIDERS", "Providers that are already running, for debugging them."},
      {"TF_REGISTRY_CLIENT_TIMEOUT", "Seconds to wait for a registry."},
      {"TF_REGISTRY_DISCOVERY_RETRY", "How many times to retry a failed request."},
      {"TF_PROVIDER_DOWNLOAD_RETRY", "How many times to retry a failed download of a provider."},
      {"OPENTOFU_ENFORCE_GPG_VALIDATION",
       "true: providers of registry.opentofu.org must be signed, too, where it has no keys for them."},
      {"OPENTOFU_ENFORCE_GPG_EXPIRATION", "true: signatures with keys that have expired are rejected."},
      {"XPLAN_DIALECT",
       "terraform or opentofu: print what that program would print; xplan: what this one prints. The former "
       "is also the case when the program is run under the name terraform or tofu. Packages have links of "
       "these names in libexec/xplan (/usr/libexec/xplan), for the PATH of tools that look for them."},
      {"XPLAN_PLAN_PASSPHRASE",
       "Passphrase that plan files are encrypted with, unless -plan-key-file is given."},
      {"XPLAN_REMOTE_JOURNAL",
       "off: journals of states on servers are kept on this machine, for all commands, as with "
       "-remote-journal=off of apply."},
      {"XPLAN_DEFAULT_REGISTRY", "Registry for providers whose source address has no host name."},
      {"XPLAN_CONSOLE_HISTORY", "File with the history of the console."},
      {"NO_COLOR", "Not empty: no colours. The option -no-color overrides all of these variables."},
      {"FORCE_COLOR",
       "Not empty and not 0: colours in files and pipes, too, unless NO_COLOR is set. "
       "CLICOLOR_FORCE means the same."},
      {"CLICOLOR", "0: no colours, unless they are forced."},
  };
}

std::string command_path(std::string_view group) {
  return fmt::format("{}{}{}", program_name(), group.empty() ? "" : " ", group);
}

}  // namespace

std::vector<HelpRow> leading_options() {
  return {{"-chdir=DIR", "Work in another directory."},
          {"-help", "Show this help, or after a command, the help of that command."},
          {"-version", "Show the version."},
          {"-install-autocomplete", "Let shells complete command lines (bash, zsh and fish)."},
          {"-uninstall-autocomplete", "Undo -install-autocomplete."}};
}

std::vector<HelpRow> help_rows(std::span<const SubCommand> commands) {
  std::vector<HelpRow> rows;
  for (const SubCommand& c : commands) rows.push_back({std::string(c.name), std::string(c.about) + "."});
  return rows;
}

int print_help(Session& s, std::span<const SubCommand> commands, int code) {
  const int width = help_width(s.io);
  std::string text = fmt::format("Usage: {} [-chdir=DIR] COMMAND [options]\n\nCommands:\n\n", program_name());
  put_help_rows(text, help_rows(commands), 18, width);
  text += "\nOptions before the command:\n\n";
  put_help_rows(text, leading_options(), 28, width);
  text += "\nEnvironment variables:\n\n";
  put_help_rows(text, variables(), 32, width);
  text += fmt::format("\nRun \"{} help COMMAND\" for details of a command.\n", program_name());
  s.io.out(text);
  s.io.flush();
  return code;
}

int unknown_command(Session& s, std::string_view group, std::string_view name,
                    std::span<const SubCommand> commands) {
  std::vector<std::string_view> names;
  for (const SubCommand& c : commands) names.push_back(c.name);
  const std::string_view near = did_you_mean(name, names);
  if (name.starts_with('-')) {
    s.diags.error("Missing command", fmt::format("The name of a command is missing: {0} COMMAND [options]. "
                                                 "Run \"{0} -help\" for the available commands.",
                                                 command_path(group)));
    return s.finish();
  }
  if (const std::string newer = newer_feature(name); group.empty() && !newer.empty()) {
    s.diags.error("Unsupported command", newer);
    return s.finish();
  }
  s.diags.error("Unknown command",
                fmt::format("{} has no command \"{}\". Run \"{} -help\" for the available commands.{}",
                            group.empty() ? s.product : own_command(group), name, command_path(group),
                            near.empty() ? "" : fmt::format(" Did you mean \"{}\"?", near)));
  return s.finish();
}

int run_group(Session& s, std::string_view group, std::string_view about,
              std::span<const SubCommand> commands, const std::vector<std::string>& args) {
  if (s.completing && args.empty()) {
    for (const SubCommand& c : commands) offer(s, c.name);
    return 0;
  }
  for (const SubCommand& c : commands)
    if (!args.empty() && args[0] == c.name) {
      if (s.completing) --s.completing->arguments;
      s.only_prints = c.does.what == Does::Print;
      return c.run(s, {args.begin() + 1, args.end()});
    }
  if (!args.empty() && !is_help_flag(args[0])) return unknown_command(s, group, args[0], commands);
  std::string text =
      fmt::format("Usage: {} {} COMMAND [options]\n\n  {}\n\nCommands:\n\n", program_name(), group, about);
  const int width = help_width(s.io);
  put_help_rows(text, help_rows(commands), 22, width);
  render::put_wrapped(text, fmt::format("\nRun \"{} help {} COMMAND\" for details.\n", program_name(), group),
                      width);
  s.io.out(text);
  s.io.flush();
  return !args.empty() ? 0 : s.product == "OpenTofu" ? 127 : 1;
}

}  // namespace xplan::cmd
