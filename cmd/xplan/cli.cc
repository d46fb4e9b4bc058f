// The only file that uses CLI11. Rewrites arguments to the form that it understands, in which every option
// has two dashes and a value; tells what is wrong in our words; makes the help text.
#include "cmd/xplan/cli.h"

#include <cstdlib>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "cmd/xplan/newer.h"
#include "core/base/command_line.h"
#include "core/base/duration.h"
#include "core/base/fs.h"
#include "core/diag/diagnostic.h"
#include "render/text.h"

namespace xplan::cmd {
namespace {

constexpr std::string_view kBoolean = "true or false", kNumber = "a non-negative whole number",
                           kDuration = "a duration such as 30s or 2m";

// Text in lines that begin at this column; the first one has `lead` columns to go.
std::string column(std::string_view text, size_t at, size_t lead, int width) {
  std::string wrapped, out(lead, ' ');
  render::put_wrapped(wrapped, text, std::max(width - static_cast<int>(at), 20));
  for (char c : wrapped) {
    out += c;
    if (c == '\n') out.append(at, ' ');
  }
  return out;
}

}  // namespace

std::optional<bool> parse_boolean(std::string_view text) {
  for (std::string_view yes : {"1", "t", "T", "true", "TRUE", "True"})
    if (text == yes) return true;
  for (std::string_view no : {"0", "f", "F", "false", "FALSE", "False"})
    if (text == no) return false;
  return std::nullopt;
}

bool is_help_flag(std::string_view argument) {
  return argument == "-h" || argument == "-help" || argument == "--help" || argument == "--h";
}

// Lines of prose that are much longer are hard to read.
int help_width(const Streams& io) {
  return std::min(io.width, 100) - (io.out_is_terminal ? 1 : 0);
}

void put_help_rows(std::string& out, const std::vector<HelpRow>& rows, size_t at, int width) {
  const bool narrow = width < static_cast<int>(at) + 30;
  const size_t text_at = narrow ? 6 : at;
  for (const HelpRow& r : rows) {
    const bool beside = !narrow && r.left.size() + 3 < at;
    out += "  " + r.left + (beside ? "" : "\n");
    out += column(r.text, text_at, beside ? at - r.left.size() - 2 : text_at, width) + '\n';
  }
}

std::string option_name(const HelpRow& row) {
  const size_t equals = row.left.find('=');
  return equals == std::string::npos ? row.left : row.left.substr(0, equals + 1);
}

struct Flags::Impl {
  CLI::App app;
  std::string usage, about;
  std::vector<std::string> notes;
  std::vector<HelpRow> help, commands;
  std::string accepted;                                       // names of options without effect
  std::map<std::string, bool, std::less<>> options;           // whether they take a value
  std::map<std::string, std::string, std::less<>> elsewhere;  // options of other commands
  std::vector<std::string>* arguments = nullptr;
  const std::vector<config::VariableOption>* variables = nullptr;
  size_t min = 0, max = 0;
  std::string argument_names, no_arguments;
};

Flags::Flags(std::string usage, std::string about) : impl_(std::make_unique<Impl>()) {
  impl_->usage = fmt::format("{} {}", program_name(), usage), impl_->about = std::move(about);
  impl_->app.set_help_flag();
}
Flags::~Flags() = default;

std::string Flags::help_text(const Streams& io) const {
  const int width = help_width(io);
  std::string out = fmt::format("Usage: {}{}\n\n{}\n", impl_->usage, impl_->help.empty() ? "" : " [options]",
                                column(impl_->about, 2, 2, width));
  if (!impl_->commands.empty()) {
    out += "\nCommands:\n\n";
    put_help_rows(out, impl_->commands, 20, width);
  }
  if (!impl_->help.empty()) {
    out += "\nOptions:\n\n";
    put_help_rows(out, impl_->help, 29, width);
  }
  if (!impl_->accepted.empty())
    out += '\n' +
           column("Accepted for compatibility, without effect: " + impl_->accepted + ".", 2, 2, width) + '\n';
  for (const std::string& note : impl_->notes) out += '\n' + column(note, 2, 2, width) + '\n';
  return out;
}

std::string Flags::command() const {
  std::string out = impl_->usage.substr(0, impl_->usage.find_first_of("[ABCDEFGHIJKLMNOPQRSTUVWXYZ"));
  if (out.ends_with(' ')) out.pop_back();
  return out;
}

namespace {

// Where an option comes from that may be on no command line.
std::string from_environment(std::string_view command, std::string_view option) {
  std::string variable = "TF_CLI_ARGS";
  const size_t space = command.find(' ');
  if (space != command.npos) variable += "_" + std::string(command.substr(space + 1));
  for (char& c : variable)
    if (c == ' ' || c == '-') c = '_';
  for (const std::string& v : {variable, std::string("TF_CLI_ARGS")}) {
    const char* text = std::getenv(v.c_str());
    if (text && std::string_view(text).find("-" + std::string(option)) != std::string_view::npos)
      return fmt::format(". It is set by the environment variable {}", v);
  }
  return "";
}

}  // namespace

std::string Flags::help_hint() const {
  return fmt::format("Run \"{} -help\" for the available options.", command());
}

std::string Flags::unknown_option(std::string_view name) const {
  if (name == "chdir")
    return fmt::format("The option -chdir must come before the name of the command: {} -chdir=DIR{}.",
                       program_name(), command().substr(program_name().size()));
  if (std::string newer = newer_feature(fmt::format("-{}", name)); !newer.empty()) return newer;
  std::vector<std::string_view> names;
  for (const auto& [n, takes_value] : impl_->options) names.push_back(n);
  for (const auto& [n, command] : impl_->elsewhere) names.push_back(n);
  const std::string_view near = did_you_mean(name, names);
  if (const auto other = impl_->elsewhere.find(near); other != impl_->elsewhere.end())
    return fmt::format("This command has no option -{}; -{} is an option of {}. {}", name, near,
                       own_command(other->second), help_hint());
  return fmt::format("This command has no option -{}{}. {}{}", name, from_environment(command(), name),
                     help_hint(), near.empty() ? "" : fmt::format(" Did you mean -{}?", near));
}

Flags& Flags::elsewhere(std::string_view name, std::string command) {
  impl_->elsewhere.emplace(name, std::move(command));
  return *this;
}

Flags& Flags::add(std::string_view name, bool takes_value, std::string left, std::string help, Store store) {
  auto call = [store = std::move(store), option = std::string(name)](const std::string& value) {
    if (const std::string takes = store(value); !takes.empty())
      throw CLI::ValidationError(fmt::format(
          "\"{}\" is not a valid value for the option -{}, which takes {}.", value, option, takes));
  };
  impl_->app.add_option_function<std::string>("--" + std::string(name), call)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast)
      ->allow_extra_args(false)
      ->trigger_on_parse();  // in the order in which they are given
  impl_->options.insert_or_assign(std::string(name), takes_value);
  if (!help.empty()) impl_->help.push_back({std::move(left), std::move(help)});
  return *this;
}

Flags& Flags::flag(std::string_view name, bool& value, std::string help) {
  auto store = [&value](const std::string& text) {
    const std::optional<bool> v = parse_boolean(text);
    if (v) value = *v;
    return std::string(v ? "" : kBoolean);
  };
  return add(name, false, fmt::format("-{}{}", name, value ? "=false" : ""), std::move(help), store);
}

Flags& Flags::flag_or(std::string_view name, std::string left, Word word, std::string takes,
                      std::string help) {
  return add(name, false, std::move(left), std::move(help),
             [word = std::move(word), takes = std::move(takes)](const std::string& text) {
               return word(text) ? std::string() : takes;
             });
}

Flags& Flags::text(std::string_view name, std::string& value, std::string help, std::string value_name) {
  return each(
      name, [&value](std::string text) { value = std::move(text); }, std::move(help), std::move(value_name));
}

Flags& Flags::number(std::string_view name, int& value, std::string help) {
  auto store = [&value](const std::string& text) {
    int n = 0;
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), n);
    if (failed == std::errc::result_out_of_range && text[0] != '-')
      return fmt::format("a whole number of at most {}", std::numeric_limits<int>::max());
    if (failed != std::errc() || end != text.data() + text.size() || n < 0) return std::string(kNumber);
    value = n;
    return std::string();
  };
  return add(name, true, fmt::format("-{}=N", name), std::move(help), store);
}

Flags& Flags::on_off(std::string_view name, bool& value, std::string help) {
  auto store = [&value](const std::string& text) {
    const std::optional<bool> v = text == "on" || text == "off" ? text == "on" : parse_boolean(text);
    if (v) value = *v;
    return std::string(v ? "" : "on or off");
  };
  return add(name, true, fmt::format("-{}={}", name, value ? "off" : "on"), std::move(help), store);
}

Flags& Flags::choice(std::string_view name, std::string& value, std::vector<std::string> words,
                     std::string help) {
  std::string left = fmt::format("-{}={}", name, fmt::join(words, "|"));
  auto store = [&value, words = std::move(words)](const std::string& text) {
    if (std::find(words.begin(), words.end(), text) == words.end())
      return fmt::format("{} or {}", fmt::join(words.begin(), words.end() - 1, ", "), words.back());
    value = text;
    return std::string();
  };
  return add(name, true, std::move(left), std::move(help), store);
}

Flags& Flags::duration(std::string_view name, std::string& value, std::string help) {
  auto store = [&value](const std::string& text) {
    int64_t ms = 0;
    if (!parse_duration_ms(text, ms)) return std::string(kDuration);
    value = text;
    return std::string();
  };
  return add(name, true, fmt::format("-{}=30s", name), std::move(help), store);
}

Flags& Flags::list(std::string_view name, std::vector<std::string>& value, std::string help,
                   std::string value_name) {
  return each(
      name, [&value](std::string text) { value.push_back(std::move(text)); }, std::move(help),
      std::move(value_name));
}

Flags& Flags::each(std::string_view name, std::function<void(std::string)> seen, std::string help,
                   std::string value_name) {
  auto store = [seen = std::move(seen)](const std::string& text) {
    seen(text);
    return std::string();
  };
  return add(name, true, fmt::format("-{}={}", name, value_name), std::move(help), store);
}

Flags& Flags::variables(std::vector<config::VariableOption>& options, std::string_view of) {
  impl_->variables = &options;
  auto seen = [&options](bool file) {
    return [&options, file](std::string value) { options.push_back({file, std::move(value)}); };
  };
  each("var", seen(false), fmt::format("Value of an input variable{}. May be repeated.", of), "'NAME=VALUE'");
  return each("var-file", seen(true),
              fmt::format("File with values of input variables{}. May be repeated.", of), "FILE");
}

const std::vector<config::VariableOption>* Flags::given_variables() const {
  return impl_->variables;
}

Flags& Flags::accepted_flag(std::string_view name) {
  impl_->accepted += fmt::format("{}-{}", impl_->accepted.empty() ? "" : ", ", name);
  auto check = [](const std::string& text) { return std::string(parse_boolean(text) ? "" : kBoolean); };
  return add(name, false, "", "", check);
}

Flags& Flags::accepted_flag(std::string_view name, bool& value) {
  impl_->accepted += fmt::format("{}-{}", impl_->accepted.empty() ? "" : ", ", name);
  return flag(name, value, "");
}

Flags& Flags::accepted_value(std::string_view name) {
  impl_->accepted += fmt::format("{}-{}", impl_->accepted.empty() ? "" : ", ", name);
  return add(name, true, "", "", [](const std::string&) { return std::string(); });
}

Flags& Flags::arguments(std::vector<std::string>& values, size_t min, size_t max, std::string names) {
  impl_->arguments = &values;
  impl_->min = min, impl_->max = max;
  impl_->argument_names = std::move(names);
  return *this;
}

Flags& Flags::no_arguments(std::string advice) {
  impl_->no_arguments = std::move(advice);
  return *this;
}

std::string Flags::wrong_arguments(const std::vector<std::string>& given) const {
  if (given.size() < impl_->min) return fmt::format("The command requires {}.", impl_->argument_names);
  if (impl_->max > 0)
    return fmt::format("The command takes at most {} argument{}; \"{}\" is one too many.", impl_->max,
                       impl_->max == 1 ? "" : "s", given[impl_->max]);
  const std::string advice = real_fs().is_dir(given[0])
                                 ? "To work in another directory, use the option -chdir before "
                                   "the command name."
                                 : impl_->no_arguments;
  return fmt::format("The command takes no arguments, but \"{}\" was given.{}{}", given[0],
                     advice.empty() ? "" : " ", advice);
}

std::vector<std::string> Flags::option_names() const {
  std::vector<std::string> out;
  for (const HelpRow& r : impl_->help) out.push_back(option_name(r));
  return out;
}

std::string Flags::typed() const {
  return command().substr(std::min(command().size(), program_name().size() + 1));
}

bool Flags::takes_value(std::string_view option) const {
  const auto known =
      impl_->options.find(option.substr(std::min(option.find_first_not_of('-'), option.size())));
  return known != impl_->options.end() && known->second;
}

std::string Flags::value_name(std::string_view option) const {
  const std::string name =
      fmt::format("-{}=", option.substr(std::min(option.find_first_not_of('-'), option.size())));
  for (const HelpRow& r : impl_->help)
    if (r.left.starts_with(name)) return r.left.substr(name.size());
  return "";
}

// The last one may be repeated: "[ADDRESS...]".
std::string Flags::argument_name(size_t place) const {
  std::vector<std::string> names;
  for (size_t i = command().size(); i < impl_->usage.size(); ++i) {
    const char c = impl_->usage[i];
    const bool in_name = ('A' <= c && c <= 'Z') || c == '_';
    if (!in_name) continue;
    if (i == 0 || impl_->usage[i - 1] == ' ' || impl_->usage[i - 1] == '[') names.emplace_back();
    if (!names.empty()) names.back() += c;
  }
  const bool repeated =
      impl_->usage.find("...") != std::string::npos || impl_->usage.find("…") != std::string::npos;
  if (place < names.size()) return names[place];
  return repeated && !names.empty() ? names.back() : "";
}

Flags& Flags::note(std::string paragraph) {
  impl_->notes.push_back(std::move(paragraph));
  return *this;
}

Flags& Flags::commands(std::vector<HelpRow> rows) {
  impl_->commands = std::move(rows);
  return *this;
}

std::optional<int> Flags::parse(const std::vector<std::string>& args, Streams& io, const Misuse& misuse) {
  auto wrong = [&](std::string_view summary, std::string detail) {
    misuse(summary, std::move(detail));
    return 1;
  };
  std::vector<std::string> given, plain;
  for (size_t i = 0; i < args.size(); ++i) {
    const std::string& a = args[i];
    if (a == "--") {
      plain.insert(plain.end(), args.begin() + static_cast<long>(i) + 1, args.end());
      break;
    }
    if (a.size() < 2 || a[0] != '-') {
      plain.push_back(a);
      continue;
    }
    if (is_help_flag(a)) {
      io.out(help_text(io));
      return 0;
    }
    const std::string text = a.substr(a[1] == '-' ? 2 : 1);
    const size_t eq = text.find('=');
    const std::string name = text.substr(0, eq);
    const auto known = impl_->options.find(name);
    if (known == impl_->options.end()) return wrong("Unknown option", unknown_option(name));
    if (eq == std::string::npos && known->second && i + 1 == args.size())
      return wrong("Missing value", fmt::format("The option -{} requires a value: -{}=VALUE.", name, name));
    const std::string value = eq != std::string::npos ? text.substr(eq + 1)
                              : known->second         ? args[++i]
                                                      : "true";
    given.push_back("--" + name + (value.empty() ? "" : "=" + value));
    if (value.empty()) given.emplace_back();  // the library takes no empty value behind "="
  }
  if (plain.size() < impl_->min || plain.size() > impl_->max)
    return wrong(plain.size() < impl_->min ? "Missing argument" : "Too many command line arguments",
                 fmt::format("{}\nUsage: {}", wrong_arguments(plain), impl_->usage));
  try {
    impl_->app.parse(std::vector<std::string>(given.rbegin(), given.rend()));
  } catch (const CLI::ValidationError& e) {
    return wrong("Invalid option value", fmt::format("{} {}", e.what(), help_hint()));
  } catch (const CLI::Error&) {  // in the library's words, which nobody else uses
    return wrong("Invalid option value", fmt::format("The options cannot be read. {}", help_hint()));
  }
  if (impl_->arguments) *impl_->arguments = plain;
  return std::nullopt;
}

}  // namespace xplan::cmd
