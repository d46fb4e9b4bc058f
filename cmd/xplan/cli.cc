// The only file that uses CLI11. Rewrites arguments to the two-dash form that CLI11 understands, parses
// them, and turns its exceptions into one message and an exit code.
#include "cmd/xplan/cli.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <map>

#include "render/text.h"

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

  // Text in lines that begin at this column and end before the 80th; the first one has `lead` columns to go.
  static std::string column(std::string_view text, size_t at, size_t lead) {
    std::string wrapped, out(lead, ' ');
    render::put_wrapped(wrapped, text, static_cast<int>(79 - at));
    for (char c : wrapped) {
      out += c;
      if (c == '\n') out.append(at, ' ');
    }
    return out;
  }
  void print_help(Streams& io) const {
    std::string out =
        fmt::format("Usage: {}{}\n\n{}\n", usage, help.empty() ? "" : " [options]", column(about, 2, 2));
    if (!help.empty()) out += "\nOptions:\n\n";
    constexpr size_t kText = 29;  // where the explanations stand
    for (const Help& h : help) {
      const bool beside = h.left.size() + 3 < kText;
      out += "  " + h.left + (beside ? "" : "\n");
      out += column(h.text, kText, beside ? kText - h.left.size() - 2 : kText) + '\n';
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

std::optional<int> Flags::parse(const std::vector<std::string>& args, Streams& io, const Misuse& misuse) {
  auto wrong = [&](std::string_view summary, std::string detail) {
    misuse(summary, std::move(detail));
    return 1;
  };
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
      return wrong("Unknown option",
                   fmt::format("This command has no option -{}. Run \"{} -help\" for the list.",
                               name.substr(0, eq), impl_->usage.substr(0, impl_->usage.find(" ["))));
    }
    if (known->second && eq == std::string::npos) {
      if (i + 1 >= args.size()) {
        return wrong("Missing value", fmt::format("The option -{} requires a value: -{}=VALUE.", name, name));
      }
      name += "=" + args[++i];
    }
    const bool empty = known->second && name.ends_with('=') && name.find('=') + 1 == name.size();
    flags.push_back("--" + (empty ? name.substr(0, name.size() - 1) : name));
    if (empty) flags.emplace_back();  // the library takes no empty value behind "="
  }
  if (plain.size() < impl_->min || plain.size() > impl_->max) {
    bool few = plain.size() < impl_->min;
    return wrong(
        few ? "Missing argument" : "Too many command line arguments",
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
    return wrong("Invalid option", e.what());
  }
  std::map<const CLI::Option*, size_t> next;
  for (const CLI::Option* o : impl_->app.parse_order())
    for (auto& known : impl_->ordered)
      if (known->option == o) impl_->seen(known->name, known->values[next[o]++]);
  return std::nullopt;
}

}  // namespace xplan::cmd
