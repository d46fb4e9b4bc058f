// The program: finds the command and runs it. The one place that catches exceptions.
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
#include <optional>

#include "cmd/xplan/commands.h"
#include "cmd/xplan/interrupt.h"
#include "core/base/log.h"
#include "core/diag/diagnostic.h"

namespace xplan::cmd {
namespace {

struct Row {
  std::string_view name;
  int (*run)(Session&, const Args&);
  std::string_view about;
};
constexpr Row kCommands[] = {
    {"init", run_init, "Prepare the working directory"},
    {"validate", run_validate, "Check the configuration"},
    {"plan", run_plan, "Show what would change"},
    {"apply", run_apply, "Apply a plan"},
    {"destroy", run_destroy, "Destroy all objects in the state"},
    {"show", run_show, "Show a saved plan or a state"},
    {"explain", run_explain, "Explain why a saved plan makes each change"},
    {"output", run_output, "Show the outputs of the root module"},
    {"console", run_console, "Evaluate expressions"},
    {"refresh", run_refresh, "Update the state to match the real objects"},
    {"import", run_import, "Import an existing object into the state"},
    {"taint", run_taint, "Mark an object for replacement"},
    {"untaint", run_untaint, "Remove a taint mark"},
    {"state", run_state, "List, show, move and remove objects of the state"},
    {"workspace", run_workspace, "List, create, select and delete workspaces"},
    {"providers", run_providers, "Show which providers the configuration requires"},
    {"get", run_get, "Install modules"},
    {"modules", run_modules, "List the modules of the configuration"},
    {"force-unlock", run_force_unlock, "Release a stuck state lock"},
    {"version", run_version, "Show the version"},
};

// What tools and people may ask for, knowing it from elsewhere.
constexpr std::string_view kNotBuilt[] = {"fmt", "graph", "login", "logout", "metadata", "test"};

int print_help(Session& s, int code) {
  std::string text = fmt::format("Usage: {0} [-chdir=DIR] COMMAND [options]\n\nCommands:\n", s.program);
  for (const Row& r : kCommands) text += fmt::format("  {:<14} {}\n", r.name, r.about);
  text += fmt::format(
      "\nRun \"{} COMMAND -help\" for details.\n\nOptions before the command:\n  -chdir=DIR     Work in "
      "another directory\n  -help          This help\n  -version       The version\n",
      s.program);
  s.io.out(text);
  s.io.flush();
  return code;
}

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
  const char* set = std::getenv("XPLAN_DIALECT");
  std::string_view dialect = set ? set : base == "terraform" ? "terraform" : base == "tofu" ? "opentofu" : "";
  if (dialect == "terraform") s.product = "Terraform", s.program = "terraform", s.terraform_dialect = true;
  if (dialect == "opentofu") s.product = "OpenTofu", s.program = "tofu";
}

// What is opened later must not become standard input or output by chance.
void fill_standard_descriptors() {
  for (int fd : {0, 1, 2})
    if (fcntl(fd, F_GETFD) < 0) (void)!open("/dev/null", fd == 0 ? O_RDONLY : O_WRONLY);
}

int run(int argc, char** argv) {
  fill_standard_descriptors();
  Streams io;
  io.out_is_terminal = isatty(1), io.in_is_terminal = isatty(0), io.err_is_terminal = isatty(2);
  winsize size{};
  if (io.out_is_terminal && ioctl(1, TIOCGWINSZ, &size) == 0 && size.ws_col > 20) io.width = size.ws_col;
  Args args(argv + 1, argv + argc);
  Diagnostics wrong;
  // Options before the command.
  while (!args.empty() && args[0].size() > 1 && args[0][0] == '-') {
    std::string name = args[0].substr(args[0][1] == '-' ? 2 : 1);
    if (name.rfind("chdir=", 0) == 0) {
      pin_settings_file();
      if (chdir(name.substr(6).c_str()) != 0) {
        wrong.error("Cannot change to another directory",
                    fmt::format("The directory \"{}\" given with -chdir cannot be used: {}.", name.substr(6),
                                std::strerror(errno)));
        break;
      }
      args.erase(args.begin());
    } else {
      break;
    }
  }
  if (std::string problems = log_start([](const char* name) -> const char* { return std::getenv(name); });
      !problems.empty())
    io.err(problems);
  Session s(io);
  choose_dialect(s, argv[0]);
  s.diags.append(std::move(wrong));
  if (s.diags.has_errors()) return s.finish();
  if (args.empty()) return print_help(s, 127);
  std::string name = args[0];
  if (name == "-help" || name == "--help" || name == "-h" || name == "help") return print_help(s, 0);
  if (name == "-version" || name == "--version" || name == "-v") name = "version";
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
  for (const Row& r : kCommands) {
    if (r.name != name) continue;
    watch_interrupts(s.stop);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is an error to report, not an end
    log_line(LogLevel::Info, "core", fmt::format("{} {}: command {}", s.product, kProgramVersion, sub));
    int code = r.run(s, args);
    log_line(LogLevel::Debug, "core", fmt::format("command {} ends with exit code {}", sub, code));
    io.flush();
    if (io.broken() && code == 0) code = 1;
    if (io.broken() && io.broken() != EPIPE) {  // who closes a pipe knows
      s.stream.reset();                         // it led to where nothing can be written
      s.diags.error(
          "Failed to write the output",
          fmt::format("Standard output could not be written: {}. The printed output is not complete. Fix the "
                      "cause and run the command again.",
                      std::strerror(io.broken())));
      s.print_diagnostics();
    }
    return code;
  }
  if (std::find(std::begin(kNotBuilt), std::end(kNotBuilt), name) != std::end(kNotBuilt)) {
    s.diags.error("Command not implemented yet",
                  fmt::format("{} does not have the command \"{}\" yet. Run \"{} -help\" for the available "
                              "commands.",
                              s.product, name, s.program));
    return s.finish();
  }
  std::vector<std::string_view> names;
  for (const Row& r : kCommands) names.push_back(r.name);
  std::string_view near = did_you_mean(name, names);
  s.diags.error("Unknown command",
                fmt::format("{} has no command \"{}\".{} Run \"{} -help\" for the list.", s.product, name,
                            near.empty() ? "" : fmt::format(" Did you mean \"{}\"?", near), s.program));
  return s.finish();
}

}  // namespace
}  // namespace xplan::cmd

int main(int argc, char** argv) {
  int code = 1;
  try {
    code = xplan::cmd::run(argc, argv);
  } catch (const std::exception& e) {
    std::string text = std::string("\nError: Internal error\n\nAn unexpected error occurred: ") + e.what() +
                       ". Please report it together with the command you ran.\n";
    text = xplan::for_terminal(text);
    (void)!write(2, text.data(), text.size());
  }
  _exit(code);  // the operating system is faster at freeing everything
}
