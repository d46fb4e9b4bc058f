// main(): what happens around every command. Options before the command, options from TF_CLI_ARGS, the
// product that XPLAN_DIALECT asks for; the table of all commands, of which one is run; what it means when
// standard output cannot be written; the end of the process with an exit code, also after an exception that
// nobody has caught. A new command gets a row in kCommands below, a line in commands.h and a file of its own.
#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <new>
#include <optional>
#include <system_error>

#include "cmd/xplan/commands.h"
#include "cmd/xplan/completion.h"
#include "cmd/xplan/help.h"
#include "cmd/xplan/interrupt.h"
#include "core/base/command_line.h"
#include "core/base/log.h"
#include "core/base/memory.h"
#include "core/base/system_text.h"
#include "core/config/dialect.h"
#include "core/diag/diagnostic.h"
#include "core/hosts/cli_config.h"
#include "render/human_diag.h"

namespace xplan::cmd {
namespace {

constexpr SubCommand kCommands[] = {
    {"init", Does::Work, run_init, "Prepare the working directory"},
    {"validate", Does::Print, run_validate, "Check the configuration"},
    {"plan", Does::Work, run_plan, "Show what would change"},
    {"apply", Does::Work, run_apply, "Apply a plan"},
    {"destroy", Does::Work, run_destroy, "Destroy all objects in the state"},
    {"show", Does::Print, run_show, "Show a saved plan or a state"},
    {"diff", Does::Print, run_diff, "Compare the effects of two saved plans"},
    {"explain", Does::Print, run_explain, "Explain why a saved plan makes each change"},
    {"graph", Does::Print, run_graph, "Show the dependency graph"},
    {"fmt", Does::Work, run_fmt, "Format configuration files in the canonical style"},
    {"output", Does::Print, run_output, "Show the outputs of the root module"},
    {"test", Does::Work, run_test, "Run the tests of the configuration"},
    {"console", Does::Print, run_console, "Evaluate expressions"},
    {"refresh", Does::Work, run_refresh, "Update the state to match the real objects"},
    {"import", Does::Work, run_import, "Import an existing object into the state"},
    {"taint", Does::Work, run_taint, "Mark an object for replacement"},
    {"untaint", Does::Work, run_untaint, "Remove a taint mark"},
    {"state", Does::Work, run_state, "List, show, move and remove objects in the state"},
    {"refactor", Does::Work, run_refactor, "Find objects that moved in the configuration"},
    {"workspace", Does::Work, run_workspace, "List, create, select and delete workspaces"},
    {"providers", Does::Print, run_providers, "Show, lock and mirror the required providers"},
    {"get", Does::Work, run_get, "Install modules"},
    {"login", Does::Work, run_login, "Obtain and store a token for a host"},
    {"logout", Does::Work, run_logout, "Remove a token for a host"},
    {"metadata", Does::Print, run_metadata, "Show metadata about the language, for other tools"},
    {"modules", Does::Print, run_modules, "List the modules of the configuration"},
    {"force-unlock", Does::Work, run_force_unlock, "Release a stuck state lock"},
    {"version", Does::Print, run_version, "Show the version"},
    {"help", Does::Work, nullptr, "Show this help, or that of a command"},
};

bool add_environment_arguments(const std::string& name, Args& args, size_t at, Diagnostics& diags) {
  const char* v = std::getenv(name.c_str());
  if (!v) return true;
  const std::optional<Args> more = split_words(v);
  if (!more) {
    diags.error("Invalid command line arguments",
                fmt::format("A quotation mark in the environment variable {} is not closed.", name));
    return false;
  }
  args.insert(args.begin() + static_cast<long>(at), more->begin(), more->end());
  return true;
}

// The file with settings is named by where the user is, not by where the work is done.
void pin_settings_file() {
  for (const char* name : {"TF_CLI_CONFIG_FILE", "TERRAFORM_CONFIG"}) {
    const char* v = std::getenv(name);
    std::error_code ec;
    if (v && *v) setenv(name, std::filesystem::absolute(v, ec).c_str(), 1);
  }
}

void choose_dialect(Session& s, std::string_view argv0) {
  std::string_view base = argv0.substr(argv0.rfind('/') + 1);
  const char* env = std::getenv("XPLAN_DIALECT");
  const std::string_view set = env ? env : "";
  std::string_view dialect = !set.empty()          ? set
                             : base == "terraform" ? "terraform"
                             : base == "tofu"      ? "opentofu"
                                                   : "";
  if (dialect == "terraform") {
    s.product = "Terraform", s.terraform_dialect = true;
    config::use_dialect(config::Dialect::Terraform);
    hosts::use_cli_files(hosts::CliFiles::Terraform);
    set_program_name("terraform");
  }
  if (dialect == "opentofu") {
    s.product = "OpenTofu";
    set_program_name("tofu");
    config::use_dialect(config::Dialect::OpenTofu);
    hosts::use_cli_files(hosts::CliFiles::OpenTofu);
  }
  if (!set.empty() && set != "terraform" && set != "opentofu" && set != "xplan")
    s.diags.error("Invalid environment variable",
                  fmt::format("XPLAN_DIALECT must be terraform, opentofu or xplan, not \"{}\".", set));
}

void warn_of_missing_settings(Session& s) {
  Diagnostics found;
  hosts::report_missing_cli_file(&std::getenv, found);
  render::HumanOptions plain = s.human;
  plain.color = false;
  auto say = [&](std::string_view text) { s.io.err(text); };
  render::render_diagnostics(found, nullptr, plain, say, say);
}

// What is opened later must not become standard input or output by chance, and some of it is opened before
// main().
bool g_has_out = true;  // there is standard output
[[gnu::constructor(101)]] void fill_standard_descriptors() {
  g_has_out = fcntl(1, F_GETFD) >= 0;
  for (int fd : {0, 1, 2})
    if (fcntl(fd, F_GETFD) < 0) (void)!open("/dev/null", fd == 0 ? O_RDONLY : O_WRONLY);
}

void look_at_terminal(Streams& io) {
  io.out_is_terminal = isatty(1), io.in_is_terminal = isatty(0), io.err_is_terminal = isatty(2);
  winsize size{};
  if (io.out_is_terminal && ioctl(1, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
    io.width = std::max<int>(size.ws_col, 40);  // in narrower lines, messages cannot be read
}

// Carries out the options before the command, and takes them away.
void take_leading_options(Args& args, Diagnostics& wrong) {
  while (!args.empty() && args[0].size() > 1 && args[0][0] == '-') {
    const std::string name = args[0].substr(args[0][1] == '-' ? 2 : 1);
    if (name == "chdir" || name == "chdir=") {
      wrong.error("Missing value", "The option -chdir requires a directory: -chdir=DIR.");
      return;
    }
    if (!name.starts_with("chdir=")) return;
    pin_settings_file();
    if (chdir(name.substr(6).c_str()) != 0) {
      wrong.error("Cannot change to another directory",
                  fmt::format("The directory \"{}\" given with -chdir cannot be used: {}.", name.substr(6),
                              system_text(errno)));
      return;
    }
    args.erase(args.begin());
  }
}

int run_command(Session& s, const SubCommand& row, const Args& args, std::string_view name) {
  watch_interrupts(s.stop);
  signal(SIGPIPE, SIG_IGN);
  signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is an error to report, not an end
  log_line(LogLevel::Info, "core", fmt::format("{} {}: command {}", s.product, kProgramVersion, name));
  s.only_prints = row.does.what == Does::Print;  // a group's command says it for itself
  int code = s.end(row.run(s, args));
  log_line(LogLevel::Debug, "core", fmt::format("command {} ends with exit code {}", name, code));
  s.io.flush();
  int broken = s.io.broken();
  if (!g_has_out && s.only_prints) broken = EBADF;
  // Who closes a pipe knows; shells call the end that this brings to other programs by this code.
  if (broken == EPIPE) return code == 0 ? 128 + SIGPIPE : code;
  if (broken == 0) return code;
  s.stream.reset();  // it led to where nothing can be written
  const bool done = code == 0 && name != "plan" && !s.only_prints;
  s.diags.error(
      "Failed to write the output",
      fmt::format("Standard output cannot be written: {}. The output is not complete. {}",
                  g_has_out ? system_text(broken) : "it is closed",
                  done ? "Everything else was completed: all changes that the command made are saved, so it "
                         "does not have to be run again."
                       : "Fix the cause and run the command again."));
  s.print_diagnostics();
  return code == 0 ? 1 : code;
}

int refuse_option(Session& s, std::string_view option) {
  const std::string_view name = option.substr(option.find_first_not_of('-'));
  const std::string_view near = did_you_mean(name.substr(0, name.find('=')), {"chdir", "help", "version"});
  s.diags.error("Unknown option",
                fmt::format("{0} has no option \"{1}\" before the command. The options of a command follow "
                            "its name. Run \"{2} -help\" for the available options.{3}",
                            s.product, option, program_name(),
                            near.empty() ? "" : fmt::format(" Did you mean -{}?", near)));
  return s.finish();
}

int run(int argc, char** argv) {
  Streams io;
  look_at_terminal(io);
  if (const std::optional<TypedLine> line = asked_to_complete(argc, argv)) {
    Session s(io);
    return complete(s, *line, kCommands);
  }
  Args args(argv + 1, argv + argc);
  Diagnostics wrong;
  take_leading_options(args, wrong);
  if (std::string problems = log_start([](const char* name) -> const char* { return std::getenv(name); });
      !problems.empty())
    io.err(problems);
  Session s(io);
  choose_dialect(s, argv[0]);
  s.diags.append(std::move(wrong));
  if (s.diags.has_errors()) return s.finish();
  warn_of_missing_settings(s);
  if (args.empty()) return print_help(s, kCommands, 127);
  std::string name = args[0];
  if (is_help_flag(name)) return print_help(s, kCommands, 0);
  if (name == "help") {  // of a command: the same as its flag
    args.erase(args.begin());
    while (!args.empty() && args[0][0] == '-') args.erase(args.begin());
    if (args.empty() || args[0] == "help") return print_help(s, kCommands, 0);
    name = args[0];
    args.emplace_back("-help");
  }
  if (name == "-version" || name == "--version" || name == "-v") name = "version";
  if (const bool install = name == "-install-autocomplete"; install || name == "-uninstall-autocomplete")
    return set_up_completion(s, install);
  if (name.size() > 1 && name[0] == '-' && name.find_first_not_of('-') != std::string::npos)
    return refuse_option(s, name);
  if (name == "env") name = "workspace";  // as it was called once
  args.erase(args.begin());
  std::string sub = name;
  size_t insert_at = 0;
  if ((name == "state" || name == "workspace" || name == "providers" || name == "metadata") &&
      !args.empty() && args[0][0] != '-')
    sub += "_" + args[0], insert_at = 1;
  for (char& c : sub) c = c == '-' ? '_' : c;
  if (!add_environment_arguments("TF_CLI_ARGS_" + sub, args, insert_at, s.diags) ||
      !add_environment_arguments("TF_CLI_ARGS", args, insert_at, s.diags))
    return s.finish();
  for (const SubCommand& r : kCommands)
    if (r.name == name && r.run) return run_command(s, r, args, sub);
  return unknown_command(s, "", name, kCommands);
}

// What is told of an exception that ends the program.
std::string end_text(const std::exception& e) {
  const auto* of_system = dynamic_cast<const std::system_error*>(&e);
  if (of_system && of_system->code() == std::errc::resource_unavailable_try_again)
    return "\nError: Out of threads\n\n"
           "The system refused to start another thread: there is not enough memory for it,\n"
           "or a limit is reached (ulimit -u and -v show them). If a plan was being applied,\n"
           "the finished changes are recorded, and the next run will pick them up. Raise the\n"
           "limit and run it again.\n";
  return fmt::format(
      "\nError: Internal error\n\nAn unexpected error occurred: {}. This is a bug in xplan; please report it "
      "together with the command.\n",
      e.what());
}

}  // namespace
}  // namespace xplan::cmd

int main(int argc, char** argv) {
  int code = 1;
  // A core file would have the secrets of states in it. Programs started from here may dump theirs.
  prctl(PR_SET_DUMPABLE, 0);
  xplan::keep_memory_reserve();
  try {
    code = xplan::cmd::run(argc, argv);
  } catch (const std::bad_alloc&) {
    xplan::exit_without_memory();
  } catch (const std::exception& e) {
    const std::string text = xplan::for_terminal(xplan::cmd::end_text(e));
    (void)!write(2, text.data(), text.size());
  }
  _exit(code);  // the operating system is faster at freeing everything
}
