// main(): what happens around every command. Options before the command, options from TF_CLI_ARGS, the
// product that XPLAN_DIALECT asks for; the table of all commands, of which one is run; what it means when
// standard output cannot be written; the end of the process with an exit code, also after an exception that
// nobody has caught. A new command gets a row in kCommands below, a line in commands.h and a file of its own.
#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <new>
#include <optional>

#include "cmd/xplan/commands.h"
#include "cmd/xplan/help.h"
#include "cmd/xplan/interrupt.h"
#include "core/base/command_line.h"
#include "core/base/log.h"
#include "core/base/memory.h"
#include "core/base/system_text.h"
#include "core/diag/diagnostic.h"

namespace xplan::cmd {
namespace {

constexpr SubCommand kCommands[] = {
    {"init", Does::Work, run_init, "Prepare the working directory"},
    {"validate", Does::Print, run_validate, "Check the configuration"},
    {"plan", Does::Work, run_plan, "Show what would change"},
    {"apply", Does::Work, run_apply, "Apply a plan"},
    {"destroy", Does::Work, run_destroy, "Destroy all objects in the state"},
    {"show", Does::Print, run_show, "Show a saved plan or a state"},
    {"explain", Does::Print, run_explain, "Explain why a saved plan makes each change"},
    {"output", Does::Print, run_output, "Show the outputs of the root module"},
    {"console", Does::Print, run_console, "Evaluate expressions"},
    {"refresh", Does::Work, run_refresh, "Update the state to match the real objects"},
    {"import", Does::Work, run_import, "Import an existing object into the state"},
    {"taint", Does::Work, run_taint, "Mark an object for replacement"},
    {"untaint", Does::Work, run_untaint, "Remove a taint mark"},
    {"state", Does::Work, run_state, "List, show, move and remove objects in the state"},
    {"workspace", Does::Work, run_workspace, "List, create, select and delete workspaces"},
    {"providers", Does::Print, run_providers, "Show, lock and mirror the required providers"},
    {"get", Does::Work, run_get, "Install modules"},
    {"modules", Does::Print, run_modules, "List the modules of the configuration"},
    {"force-unlock", Does::Work, run_force_unlock, "Release a stuck state lock"},
    {"version", Does::Print, run_version, "Show the version"},
    {"help", Does::Work, nullptr, "Show this help, or that of a command"},
};

// What tools and people may ask for, knowing it from elsewhere.
constexpr std::string_view kNotBuilt[] = {"fmt", "graph", "login", "logout", "metadata", "test"};

// Words of an environment variable as a shell would split them (quotes and backslashes); none when a quote is
// not closed.
std::optional<Args> split_words(std::string_view text) {
  Args out;
  std::string word;
  bool open = false;
  char quote = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (quote) {
      if (c == quote)
        quote = 0;
      else if (c == '\\' && quote == '"' && i + 1 < text.size())
        word += text[++i];
      else
        word += c;
    } else if (c == '\'' || c == '"') {
      quote = c, open = true;
    } else if (c == '\\' && i + 1 < text.size()) {
      word += text[++i], open = true;
    } else if (c == ' ' || c == '\t' || c == '\n') {
      if (open || !word.empty()) out.push_back(word);
      word.clear(), open = false;
    } else {
      word += c;
    }
  }
  if (quote) return std::nullopt;
  if (open || !word.empty()) out.push_back(word);
  return out;
}

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
    set_program_name("terraform");
  }
  if (dialect == "opentofu") {
    s.product = "OpenTofu";
    set_program_name("tofu");
  }
  if (!set.empty() && set != "terraform" && set != "opentofu" && set != "xplan")
    s.diags.error("Invalid environment variable",
                  fmt::format("XPLAN_DIALECT must be terraform, opentofu or xplan, not \"{}\".", set));
}

// What is opened later must not become standard input or output by chance. Whether there is standard output.
bool fill_standard_descriptors() {
  const bool out = fcntl(1, F_GETFD) >= 0;
  for (int fd : {0, 1, 2})
    if (fcntl(fd, F_GETFD) < 0) (void)!open("/dev/null", fd == 0 ? O_RDONLY : O_WRONLY);
  return out;
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

int run_command(Session& s, const SubCommand& row, const Args& args, std::string_view name, bool has_out) {
  watch_interrupts(s.stop);
  signal(SIGPIPE, SIG_IGN);
  signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is an error to report, not an end
  log_line(LogLevel::Info, "core", fmt::format("{} {}: command {}", s.product, kProgramVersion, name));
  s.only_prints = row.does.what == Does::Print;  // a group's command says it for itself
  int code = row.run(s, args);
  log_line(LogLevel::Debug, "core", fmt::format("command {} ends with exit code {}", name, code));
  s.io.flush();
  int broken = s.io.broken();
  if (!has_out && s.only_prints) broken = EBADF;
  // Who closes a pipe knows; shells call the end that this brings to other programs by this code.
  if (broken == EPIPE) return code == 0 ? 128 + SIGPIPE : code;
  if (broken == 0) return code;
  s.stream.reset();  // it led to where nothing can be written
  const bool done = code == 0 && name != "plan" && !s.only_prints;
  s.diags.error(
      "Failed to write the output",
      fmt::format("Standard output could not be written: {}. The printed output is not complete. {}",
                  has_out ? system_text(broken) : "it is closed",
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

int refuse_command(Session& s, const std::string& name) {
  if (std::find(std::begin(kNotBuilt), std::end(kNotBuilt), name) != std::end(kNotBuilt)) {
    s.diags.error("Command not implemented yet",
                  fmt::format("{} does not have the command \"{}\" yet. Run \"{} -help\" for the available "
                              "commands.",
                              s.product, name, program_name()));
    return s.finish();
  }
  return unknown_command(s, "", name, kCommands);
}

int run(int argc, char** argv) {
  const bool has_out = fill_standard_descriptors();
  Streams io;
  look_at_terminal(io);
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
  if (name.size() > 1 && name[0] == '-' && name.find_first_not_of('-') != std::string::npos)
    return refuse_option(s, name);
  if (name == "env") name = "workspace";  // as it was called once
  args.erase(args.begin());
  std::string sub = name;
  size_t insert_at = 0;
  if ((name == "state" || name == "workspace" || name == "providers") && !args.empty() && args[0][0] != '-')
    sub += "_" + args[0], insert_at = 1;
  for (char& c : sub) c = c == '-' ? '_' : c;
  if (!add_environment_arguments("TF_CLI_ARGS_" + sub, args, insert_at, s.diags) ||
      !add_environment_arguments("TF_CLI_ARGS", args, insert_at, s.diags))
    return s.finish();
  for (const SubCommand& r : kCommands)
    if (r.name == name && r.run) return run_command(s, r, args, sub, has_out);
  return refuse_command(s, name);
}

}  // namespace
}  // namespace xplan::cmd

int main(int argc, char** argv) {
  int code = 1;
  xplan::keep_memory_reserve();
  try {
    code = xplan::cmd::run(argc, argv);
  } catch (const std::bad_alloc&) {
    xplan::exit_without_memory();
  } catch (const std::exception& e) {
    std::string text = std::string("\nError: Internal error\n\nAn unexpected error occurred: ") + e.what() +
                       ". Please report it together with the command you ran.\n";
    text = xplan::for_terminal(text);
    (void)!write(2, text.data(), text.size());
  }
  _exit(code);  // the operating system is faster at freeing everything
}
