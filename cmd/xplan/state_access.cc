// Opening, saving and addressing the state for commands that edit or print it, without needing a valid
// configuration; also the dispatch of command groups such as "state" and "workspace".
#include "cmd/xplan/state_access.h"

#include <fmt/format.h>

#include "cmd/xplan/backend.h"
#include "core/base/fs.h"

namespace xplan::cmd {
namespace {

// Only the backend block is of interest, so problems elsewhere in the configuration do not matter here.
std::unique_ptr<config::Config> backend_config(Session& s) {
  Diagnostics mine;
  std::swap(mine, s.diags);
  auto c = s.load_config(true);
  std::swap(mine, s.diags);
  return c;
}

}  // namespace

void EditFlags::add(Flags& f) {
  add_lock(f);
  add_paths(f);
  f.flag("ignore-remote-version", ignore_remote_version, "Only relevant to remote backends.");
}

bool open_selected_state(Session& s, const StateFlags& flags, const std::string& operation, Missing missing,
                         Opened& out) {
  std::unique_ptr<config::Config> c = flags.state.empty() ? backend_config(s) : nullptr;
  if (!s.open_state(flags, c.get(), operation, out)) return false;
  if (missing == Missing::Error && !out.store->exists()) {
    s.diags.error(
        "No state file was found",
        fmt::format("There is no state at \"{}\", so there is nothing to do. Run the command in the "
                    "directory where the configuration was applied, or set the state file with -state.",
                    flags.state.empty() ? out.store->path() : flags.state));
    return false;
  }
  return true;
}

bool save_state(Session& s, Opened& o, State& changed) {
  Result<void> ok = o.store->write(changed, s.schemas());
  if (!ok) s.report_unsaved(*o.store, ok.error());
  s.unlock(*o.store);
  return ok.ok();
}

bool folder_backend(Session& s, Backend& out) {
  return selected_backend(s, backend_config(s).get(), out);
}

bool parse_targets(Session& s, const std::vector<std::string>& texts, std::vector<Target>& out) {
  bool ok = true;
  for (const std::string& text : texts) {
    std::string why;
    if (auto t = parse_target(text, &why)) {
      out.push_back(*t);
    } else {
      s.diags.error("Invalid address", fmt::format("\"{}\" is not a valid address: {}", text, why));
      ok = false;
    }
  }
  return ok;
}

bool parse_instance(Session& s, const std::string& text, AbsInstance& out) {
  std::string why;
  auto a = parse_abs_instance(text, &why);
  if (!a)
    return s.diags.error("Invalid address",
                         fmt::format("\"{}\" is not a valid resource instance address: {}", text, why)),
           false;
  out = *a;
  return true;
}

Result<State> state_at(Session& s, const std::string& path) {
  Result<std::string> text = read_given(path, &s.stop);
  if (!text) return text.error();
  return read_state(std::make_shared<const std::string>(std::move(*text)));
}

bool read_state_file(Session& s, const std::string& path, State& out) {
  Result<State> read = state_at(s, path);
  if (!read)
    return s.diags.error("Failed to read state file",
                         fmt::format("\"{}\" is not a valid state file: {}.", path, read.error().message)),
           false;
  out = std::move(*read);
  return true;
}

int run_group(Session& s, std::string_view group, std::string_view about, const SubCommand* first,
              size_t count, const std::vector<std::string>& args) {
  bool help = !args.empty() && (args[0] == "-h" || args[0] == "-help" || args[0] == "--help");
  for (size_t i = 0; i < count && !args.empty(); ++i)
    if (args[0] == first[i].name) return first[i].run(s, {args.begin() + 1, args.end()});
  std::string text =
      fmt::format("Usage: {} {} COMMAND [options]\n\n  {}\n\nCommands:\n\n", s.program, group, about);
  for (size_t i = 0; i < count; ++i) text += fmt::format("  {:<18} {}\n", first[i].name, first[i].about);
  if (!args.empty() && !help) {
    std::vector<std::string_view> names;
    for (size_t i = 0; i < count; ++i) names.push_back(first[i].name);
    std::string_view near = did_you_mean(args[0], names);
    s.diags.error(
        "Unknown command",
        fmt::format("\"{} {}\" has no command \"{}\".{} Run \"{} {} -help\" for the list.", s.program, group,
                    args[0], near.empty() ? "" : fmt::format(" Did you mean \"{}\"?", near), s.program,
                    group));
    return s.finish();
  }
  s.io.out(text);
  s.io.flush();
  return help ? 0 : 1;
}

}  // namespace xplan::cmd
