// Opening, saving and addressing the state for commands that edit or print it, without needing a valid
// configuration.
#include "cmd/xplan/state_access.h"

#include <fmt/format.h>

#include "core/backend/configured.h"
#include "core/base/fs.h"

namespace xplan::cmd {
namespace {

// Only the backend block is of interest, so problems elsewhere in the configuration do not matter here.
std::unique_ptr<config::Config> backend_config(Session& s) {
  Diagnostics ignored;
  return s.load_structure(ignored);
}

}  // namespace

void EditFlags::add(Flags& f, Values values) {
  if (values == Values::OfBlock) add_values(f);
  add_lock(f);
  add_paths(f);
  edits = true;
  f.flag("ignore-remote-version", any_version,
         "Write the state even if the runs of its workspace on a server use an incompatible version.");
}

bool open_selected_state(Session& s, const StateFlags& flags, const std::string& operation, Missing missing,
                         Opened& out) {
  std::unique_ptr<config::Config> c = flags.state.empty() ? backend_config(s) : nullptr;
  if (!s.open_state(flags, c.get(), operation, out)) return false;
  if (missing == Missing::Error && !out.store->exists()) {
    s.diags.error("No state file was found",
                  fmt::format("There is no state at \"{}\", so there is nothing to do. {}",
                              flags.state.empty() ? out.store->path() : flags.state,
                              out.store->path().starts_with("inmem:")
                                  ? "The backend \"inmem\" keeps states only as long as a command runs."
                              : !out.in_files && flags.state.empty()
                                  ? "Apply the configuration first, or select the workspace or change the "
                                    "backend block to where it was applied."
                                  : "Run the command in the directory where the configuration was applied, "
                                    "or set the state file with "
                                    "-state."));
    s.unlock(*out.store);
    return false;
  }
  return true;
}

bool save_state(Session& s, Opened& o, State& changed) {
  const bool saved = s.save(*o.store, changed);
  s.unlock(*o.store);
  return saved;
}

int finish_unchanged(Session& s, std::initializer_list<const Opened*> opened, int code) {
  for (const Opened* o : opened)
    if (o->store) s.unlock(*o->store);
  return s.finish(code);
}

std::unique_ptr<backend::Backend> backend_of_directory(Session& s, const std::optional<OfStates>& states) {
  const std::unique_ptr<config::Config> c = backend_config(s);
  const crypt::Encryption none;
  const crypt::Encryption* e =
      states ? s.encryption(c.get(), states->flags.variables, states->workspace) : &none;
  return e ? backend::configured(c.get(), s.opening(*e), s.diags).backend : nullptr;
}

bool parse_targets(Session& s, const std::vector<std::string>& texts, std::vector<Target>& out) {
  bool ok = true;
  for (const std::string& text : texts) {
    std::string why;
    if (auto t = parse_target(text, &why)) {
      out.push_back(*t);
    } else {
      s.diags.error("Invalid address", fmt::format("\"{}\" is not a valid address. {}", text, why));
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
                         fmt::format("\"{}\" is not a valid resource instance address. {}", text, why)),
           false;
  out = *a;
  return true;
}

std::optional<Result<State>> state_of(Session& s, std::string text, const StateFlags& flags) {
  if (!crypt::is_encrypted_state(text))
    return read_state(std::make_shared<const std::string>(std::move(text)));
  const crypt::Encryption* e = s.encryption(nullptr, flags.variables);
  return e ? std::optional(read_encrypted_state(std::move(text), *e->state())) : std::nullopt;
}

std::optional<Result<State>> state_at(Session& s, const std::string& path, const StateFlags& flags) {
  Result<std::string> text = read_given(path, &s.stop);
  return text ? state_of(s, std::move(*text), flags) : text.error();
}

bool read_state_file(Session& s, const std::string& path, const StateFlags& flags, State& out) {
  Result<std::string> text = read_given(path, &s.stop);
  if (!text) return s.diags.error("Failed to read state file", text.error().sentence()), false;
  std::optional<Result<State>> read = state_of(s, std::move(*text), flags);
  if (!read) return false;
  if (!*read)
    return s.diags.error("Failed to read state file",
                         fmt::format("\"{}\" is not a valid state file: {}.", path, read->error().message)),
           false;
  out = std::move(**read);
  return true;
}

}  // namespace xplan::cmd
