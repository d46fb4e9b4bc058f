// The only file that uses CLI11. Rewrites arguments to the two-dash form that CLI11 understands, parses
// them, and turns its exceptions into one message and an exit code.
#include "cmd/xplan/cli.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <map>

namespace xplan::cmd {

struct Flags::Impl {
  CLI::App app;
  std::string usage, about;
  struct Help {
    std::string left, text;
  };
  std::vector<Help> help;
  std::map<std::string, bool> takes_value;  // long name without dashes
  std::vector<std::string>* arguments = nullptr;
  std::vector<std::string> given;
  size_t min = 0, max = 0;
  std::string argument_names;
  struct Ordered {
    std::string name;
    CLI::Option* option;
    std::vector<std::string> values;
  };
  std::vector<std::unique_ptr<Ordered>> ordered;
  std::function<void(std::string_view, std::string)> seen;
  Misuse misuse;

  int wrong(Streams& io, std::string_view summary, std::string detail) const {
    if (misuse)
      misuse(summary, std::move(detail));
    else
      io.err(fmt::format("Error: {}\n\n{}\n", summary, detail));
    return 1;
  }
  void print_help(Streams& io) const {
    std::string out = fmt::format("Usage: {}{}\n\n  {}\n", usage, help.empty() ? "" : " [options]", about);
    if (!help.empty()) out += "\nOptions:\n\n";
    for (const Help& h : help) {
      if (h.left.size() < 26)
        out += fmt::format("  {:<26} {}\n", h.left, h.text);
      else
        out += fmt::format("  {}\n  {:<26} {}\n", h.left, "", h.text);
    }
    io.out(out);
  }
};

Flags::Flags(std::string usage, std::string about) : impl_(std::make_unique<Impl>()) {
  impl_->usage = std::move(usage), impl_->about = std::move(about);
  impl_->app.set_help_flag();
  impl_->app.allow_extras(false);
}
Flags::~Flags() = default;

Flags& Flags::flag(std::string_view name, bool& value, std::string help) {
  impl_->app.add_flag("--" + std::string(name), value);
  impl_->takes_value[std::string(name)] = false;
  impl_->help.push_back({fmt::format("-{}", name) + (value ? "=false" : ""), std::move(help)});
  return *this;
}

Flags& Flags::text(std::string_view name, std::string& value, std::string help, std::string value_name) {
  impl_->app.add_option("--" + std::string(name), value)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  impl_->takes_value[std::string(name)] = true;
  impl_->help.push_back({fmt::format("-{}={}", name, value_name), std::move(help)});
  return *this;
}

Flags& Flags::number(std::string_view name, int& value, std::string help) {
  impl_->app.add_option("--" + std::string(name), value)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  impl_->takes_value[std::string(name)] = true;
  impl_->help.push_back({fmt::format("-{}=N", name), std::move(help)});
  return *this;
}

Flags& Flags::list(std::string_view name, std::vector<std::string>& value, std::string help,
                   std::string value_name) {
  impl_->app.add_option("--" + std::string(name), value)->expected(1)->take_all()->allow_extra_args(false);
  impl_->takes_value[std::string(name)] = true;
  impl_->help.push_back({fmt::format("-{}={}", name, value_name), std::move(help)});
  return *this;
}

Flags& Flags::ordered(std::vector<std::pair<std::string, std::string>> names,
                      std::function<void(std::string_view, std::string)> seen) {
  for (auto& [name, help] : names) {
    auto o = std::make_unique<Impl::Ordered>();
    o->name = name;
    o->option =
        impl_->app.add_option("--" + name, o->values)->expected(1)->take_all()->allow_extra_args(false);
    impl_->takes_value[name] = true;
    impl_->help.push_back({fmt::format("-{}=VALUE", name), std::move(help)});
    impl_->ordered.push_back(std::move(o));
  }
  impl_->seen = std::move(seen);
  return *this;
}

Flags& Flags::arguments(std::vector<std::string>& values, size_t min, size_t max, std::string names) {
  impl_->arguments = &values;
  impl_->min = min, impl_->max = max;
  impl_->argument_names = std::move(names);
  return *this;
}

void Flags::on_misuse(Misuse told) {
  impl_->misuse = std::move(told);
}

std::optional<int> Flags::parse(const std::vector<std::string>& args, Streams& io) {
  // One dash becomes two; plain arguments are taken out, so that CLI11 sees flags only.
  std::vector<std::string> flags, plain;
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
    std::string name = a.substr(a[1] == '-' ? 2 : 1);
    if (name == "h" || name == "help") {
      impl_->print_help(io);
      return 0;
    }
    size_t eq = name.find('=');
    auto known = impl_->takes_value.find(name.substr(0, eq));
    if (known == impl_->takes_value.end()) {
      return impl_->wrong(io, "Unknown option",
                          fmt::format("This command has no option -{}. Run \"{} -help\" for the list.",
                                      name.substr(0, eq), impl_->usage.substr(0, impl_->usage.find(" ["))));
    }
    if (known->second && eq == std::string::npos) {
      if (i + 1 >= args.size()) {
        return impl_->wrong(io, "Missing value",
                            fmt::format("The option -{} requires a value: -{}=VALUE.", name, name));
      }
      name += "=" + args[++i];
    }
    const bool empty = known->second && name.ends_with('=') && name.find('=') + 1 == name.size();
    flags.push_back("--" + (empty ? name.substr(0, name.size() - 1) : name));
    if (empty) flags.emplace_back();  // the library takes no empty value behind "="
  }
  if (plain.size() < impl_->min || plain.size() > impl_->max) {
    bool few = plain.size() < impl_->min;
    return impl_->wrong(
        io, few ? "Missing argument" : "Too many command line arguments",
        fmt::format("{}\nUsage: {}",
                    few ? fmt::format("The command requires {}.", impl_->argument_names)
                    : impl_->max == 0
                        ? fmt::format("The command takes no arguments, but \"{}\" was given. To work in "
                                      "another directory, use the option -chdir before the command name.",
                                      plain[0])
                        : fmt::format("The argument \"{}\" is not expected.", plain[impl_->max]),
                    impl_->usage));
  }
  if (impl_->arguments) *impl_->arguments = plain;
  try {
    std::vector<std::string> reversed(flags.rbegin(), flags.rend());
    impl_->app.parse(reversed);
  } catch (const CLI::Error& e) {
    return impl_->wrong(io, "Invalid option", e.what());
  }
  std::map<const CLI::Option*, size_t> next;
  for (const CLI::Option* o : impl_->app.parse_order())
    for (auto& known : impl_->ordered)
      if (known->option == o) impl_->seen(known->name, known->values[next[o]++]);
  return std::nullopt;
}

}  // namespace xplan::cmd
