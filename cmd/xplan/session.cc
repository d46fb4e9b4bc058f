// The frame of every command: common flags, environment settings, loading the configuration, input
// variables, opening and locking the state, printing diagnostics, the exit code.
#include "cmd/xplan/session.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <utility>

#include "cmd/xplan/apply_report.h"
#include "cmd/xplan/installed_providers.h"
#include "cmd/xplan/timings.h"
#include "core/backend/configured.h"
#include "core/backend/workspace.h"
#include "core/base/system_text.h"
#include "core/base/write_all.h"
#include "core/config/deprecated.h"
#include "core/config/version.h"
#include "core/net/waiting.h"
#include "core/run/encryption.h"
#include "core/run/run.h"
#include "planfile/planfile.h"
#include "render/human_diag.h"
#include "render/json_state.h"

extern char** environ;

namespace xplan::cmd {
namespace {

std::string env(const char* name) {
  const char* v = std::getenv(name);
  return v ? v : "";
}

bool is_on(const char* name) {
  const std::string v = env(name);
  return !v.empty() && v != "0";
}

// What is set first in this order decides; -no-color comes before all of it.
void choose_colors(Streams& io, render::HumanOptions& human) {
  if (!env("NO_COLOR").empty()) return;
  io.colors_in_files = is_on("FORCE_COLOR") || is_on("CLICOLOR_FORCE");
  human.color = io.colors_in_files || (io.out_is_terminal && env("CLICOLOR") != "0");
}

bool asks_for_no_color(const std::vector<std::string>& args) {
  return std::any_of(args.begin(), args.end(),
                     [](const std::string& a) { return a == "-no-color" || a == "--no-color"; });
}

}  // namespace

void StateFlags::add_lock(Flags& f, std::string_view condition) {
  auto text = [&](std::string_view rest) {
    std::string out = std::string(condition) + std::string(rest);
    if (!condition.empty()) out[condition.size()] = static_cast<char>(std::tolower(out[condition.size()]));
    return out;
  };
  f.flag("lock", lock,
         text("Do not lock the state. Concurrent runs can then overwrite each other's changes."));
  f.duration("lock-timeout", lock_timeout, text("How long to wait for a held lock."));
}
void StateFlags::add_paths(Flags& f) {
  f.text("state", state, "State file to read, and to write unless -state-out is set.", "PATH");
  f.text("state-out", state_out, "State file to write.", "PATH");
  f.text("backup", backup, "Where to back up the previous state; \"-\" disables the backup.", "PATH");
  f.on_off("remote-journal", remote_journal,
           "For a state on a server: keep its journal on this machine, so that nothing but the state is "
           "written to the server.");
}
void StateFlags::add_values(Flags& f) {
  f.variables(variables, " that the encryption block, the backend block or sources of modules use");
}
void VariableFlags::add(Flags& f) {
  f.variables(options, "");
  f.flag("input", input, input ? "Do not ask for missing values." : "");
}

Session::Session(Streams& streams) : io(streams) {
  auto installed = std::make_unique<InstalledProviders>(*this);
  installed_ = installed.get();
  providers = std::move(installed);
  schemas_ = std::make_unique<ProviderSchemas>(*providers);
  if (std::string d = env("TF_DATA_DIR"); !d.empty()) data_dir = d;
  char buffer[4096];
  if (getcwd(buffer, sizeof buffer)) cwd = buffer;
  human.width = io.width;
  human.note_width = io.out_is_terminal ? io.width : 0;
  choose_colors(io, human);
  human.in_automation = !env("TF_IN_AUTOMATION").empty();
  net::tell_when_waiting([this](const std::string& text) {
    if (values_only && !stream) return io.err(text + "\n");
    notice("server_waiting", text);
  });
}
Session::~Session() {
  if (into_file_ >= 0) ::close(into_file_);
  net::tell_when_waiting(nullptr);
}

void Session::add_diff(Flags& f) {
  f.choice(
      "diff", diff_, {"smart", "compat"},
      "smart: show only what changed inside lists, documents and long strings (the default on a terminal); "
      "compat: the form that other tools expect (the default elsewhere, and with -no-color).");
}

void Session::add_show_sensitive(Flags& f) {
  f.flag("show-sensitive", human.show_sensitive, "Show sensitive values in clear.");
}

namespace {

// What begins like a state, plain or encrypted.
bool may_be_state(std::string_view begin) {
  return begin.find("\"lineage\"") != begin.npos || begin.find("\"encrypted_data\"") != begin.npos;
}

// Whether it may be written there: over what an earlier command wrote in the same way, but not over what is
// the only copy of something. A document can be any JSON.
Result<void> check_into(const std::string& path, bool document) {
  constexpr std::string_view kOption = "json-into";
  constexpr size_t kLook = 65536;
  if (Result<void> ok = planfile::check_document(path, kOption); !ok) return ok;
  std::error_code unknown;
  if (!std::filesystem::is_regular_file(path, unknown)) return {};
  std::ifstream file(path, std::ios::binary);
  if (!file.is_open()) return {};  // opening it for writing tells why
  std::string begin(kLook, '\0');
  file.read(begin.data(), static_cast<std::streamsize>(begin.size()));
  begin.resize(static_cast<size_t>(file.gcount()));
  if (begin.empty() || begin.starts_with("{\"@level\":") || begin.starts_with("{\"format_version\":"))
    return {};
  if (document && !may_be_state(begin)) return {};
  return Error{fmt::format("\"{}\" exists and {}. Choose another file for -{}", path,
                           document ? "looks like a state file" : "does not contain JSON messages", kOption)};
}

// False with errno. Pipes and devices have neither a length nor a mode to set.
bool empty_for_owner(int file) {
  struct stat about = {};
  if (::fstat(file, &about) != 0) return false;
  return !S_ISREG(about.st_mode) || (::ftruncate(file, 0) == 0 && ::fchmod(file, 0600) == 0);
}

}  // namespace

void Session::add_json_into(Flags& f, Into what) {
  into_document_ = what == Into::Document;
  f.text("json-into", json_into_,
         into_document_ ? "Write what -json prints to FILE, and print for people."
                        : "Also write progress and results as JSON lines to FILE.",
         "FILE");
}

void Session::write_into(std::string_view text) {
  std::lock_guard guard(into_lock_);
  if (!into_failed_) into_failed_ = write_all(into_file_, text);
}

void Session::put_document(const std::function<void(JsonWriter&)>& write, int indent) {
  auto put = [&](const JsonWriter::Sink& to) {
    const size_t errors = diags.error_count();
    JsonWriter w(to, indent);
    write(w);
    if (diags.error_count() != errors) return;
    w.flush();
    to("\n");
  };
  if (json) put([this](std::string_view t) { io.out(t); });
  if (into_document_) put([this](std::string_view t) { write_into(t); });
}

void Session::put_document(std::string_view text) {
  if (json) io.out(text);
  if (into_document_) write_into(text);
}

std::optional<int> Session::parse_telling(Flags& f, const std::vector<std::string>& args, bool may_warn) {
  f.flag("json", json, "Print what is done as JSON lines.");
  add_json_into(f);
  if (std::optional<int> code = parse(
          f, args, [&] { begin_stream_if_asked(args); }, may_warn))
    return code;
  if (json) begin_stream();
  return std::nullopt;
}

void Session::tell(std::string_view line, const std::function<void(JsonWriter&)>& members,
                   std::string_view message) {
  for (const render::JsonStream* to : {stream.get(), into.get()})
    if (to)
      to->message(
          "info", message.empty() ? line : message, members ? members : [](JsonWriter&) {});
  if (stream) return;
  const std::string text = std::string(line) + "\n";
  io.out_is_terminal ? prose(text) : io.out(text);
  io.flush();
}

// Nothing that an earlier command did not write in the same way is overwritten. Whatever it contains is for
// the owner alone.
bool Session::begin_into() {
  if (json_into_.empty()) return into_document_ = false, true;
  if (json) diags.error("Incompatible command line options", "-json and -json-into cannot be used together.");
  claim(json_into_, "json-into");
  if (const Result<void> ok = check_into(json_into_, into_document_); !ok)
    diags.error("Invalid document path", ok.error().sentence());
  if (diags.has_errors()) return false;
  into_file_ = ::open(json_into_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  if (into_file_ < 0 || !empty_for_owner(into_file_)) {
    diags.error("Invalid document path", fmt::format("-json-into: the file \"{}\" cannot be written: {}.",
                                                     json_into_, system_text(errno)));
    return false;
  }
  if (into_document_) return true;
  into = std::make_unique<render::JsonStream>([this](std::string_view line) { write_into(line); },
                                              product == "OpenTofu" ? "tofu.ui" : "terraform.ui");
  put_version(*into);
  return true;
}

// A level that is none means all of them.
bool Session::take_deprecation() {
  constexpr std::string_view kModules = "module:";
  if (deprecation_.empty()) return true;
  if (!deprecation_.starts_with(kModules)) {
    diags.error("Invalid option value",
                fmt::format("-deprecation must be module:all, module:local or module:none, not \"{}\".",
                            deprecation_));
    return false;
  }
  const std::string level = deprecation_.substr(kModules.size());
  config::tell_deprecations_of(level == "none"    ? config::Deprecations::None
                               : level == "local" ? config::Deprecations::Local
                                                  : config::Deprecations::All);
  return true;
}

std::optional<int> Session::parse(Flags& f, const std::vector<std::string>& args,
                                  const std::function<void()>& before_misuse, bool may_warn) {
  f.flag("no-color", no_color_, "No colours in the output.");
  f.flag("compact-warnings", compact_, may_warn ? "Show only the summaries of warnings." : "");
  f.flag("consolidate-warnings", human.consolidate_warnings,
         may_warn ? "Show each warning, even if others have the same summary." : "");
  f.flag("consolidate-errors", human.consolidate_errors,
         may_warn ? "Show errors that have the same summary as one." : "");
  f.text(
      "deprecation", deprecation_,
      may_warn ? "Tell of deprecated variables and outputs of modules: all (the default), local, none." : "",
      "module:WHICH");
  if (completing) {
    offer_for(*this, f);
    return 0;
  }
  auto plain = [this] { human.color = io.colors_in_files = false, human.plain_diagnostics = true; };
  auto misuse = [&](std::string_view summary, std::string detail) {
    if (asks_for_no_color(args)) plain();
    if (before_misuse) before_misuse();
    diags.error(summary, std::move(detail));
    finish();
  };
  if (std::optional<int> code = f.parse(args, io, misuse)) return code;
  if (const auto* given = f.given_variables()) given_variables_ = *given;
  if (!take_deprecation()) return finish();
  if (no_color_) plain();
  const bool for_people = io.out_is_terminal && !no_color_;
  if (diff_ == "smart" || (diff_.empty() && for_people)) human.diff = render::DiffStyle::Smart;
  human.compact_warnings = compact_;
  if (!begin_into()) return finish();
  human.product = product;
  return std::nullopt;
}

void Session::print_diagnostics() {
  if (diags.empty()) return;
  if (heard) heard(diags);
  if (into) into->diagnostics(diags, &sources);
  if (stream) {
    stream->diagnostics(diags, &sources);
    diags.clear();
    return;
  }
  auto out = [&](std::string_view text) { json || values_only ? io.err(text) : io.out(text); };
  render::render_diagnostics(diags, &sources, human, out, [&](std::string_view text) { io.err(text); });
  diags.clear();
}

void Session::prose(std::string_view text) {
  std::string wrapped;
  render::put_wrapped(wrapped, text, human.width - 1);
  io.out(wrapped);
}

void Session::begin_stream_if_asked(const std::vector<std::string>& args) {
  for (const std::string& a : args)
    if ((a == "-json" || a == "--json" || a == "-json=true") && !stream) begin_stream();
}

void Session::begin_stream() {
  stream = std::make_unique<render::JsonStream>(
      [this](std::string_view line) {
        io.out(line);
        io.flush();
      },
      product == "OpenTofu" ? "tofu.ui" : "terraform.ui");
  put_version(*stream);
}

void Session::put_version(const render::JsonStream& to) const {
  to.version(product, product == "xplan" ? kProgramVersion : kLanguageVersion, kLanguageVersion);
}

void Session::end_into() {
  if (const int failed = std::exchange(into_failed_, 0))
    diags.error("Failed to write document",
                fmt::format("-json-into: the file \"{}\" could not be written: {}.", json_into_,
                            system_text(failed)));
}

int Session::finish(int code) {
  end_into();
  bool errors = diags.has_errors();
  print_diagnostics();
  io.flush();
  return errors ? 1 : code;
}

void Session::claim(const std::string& path, std::string_view option) {
  if (path.empty()) return;
  std::error_code ec;
  const std::filesystem::path target = std::filesystem::weakly_canonical(path, ec);
  if (ec || (std::filesystem::exists(target, ec) && !std::filesystem::is_regular_file(target, ec))) return;
  if (std::find(claimed_.begin(), claimed_.end(), target.string()) != claimed_.end())
    diags.error("Invalid document path", fmt::format("The file \"{}\" given with -{} is also given with "
                                                     "another option. Each option needs its own file.",
                                                     path, option));
  claimed_.push_back(target.string());
}

bool Session::record_timings(const std::string& path) {
  claim(path, "timings");
  const Result<void> ok = planfile::check_document(path, "timings");
  if (!ok)
    diags.error("Invalid document path", ok.error().sentence());
  else
    timings_ = std::make_unique<Timings>(*providers, path);
  return ok.ok() && !diags.has_errors();
}

int Session::end(int code) {
  if (!timings_) return code;
  const Result<void> ok = timings_->write();
  if (ok) return code;
  diags.error("Failed to write document", "-timings: " + ok.error().sentence());
  const int failed = finish();
  return code == 0 || code == 2 ? failed : code;
}

run::Context Session::context() {
  return {.files = real_fs(),
          .sources = sources,
          .providers = timings_ ? timings_->factory() : *providers,
          .schemas = *schemas_,
          .cwd = cwd,
          .data_dir = data_dir,
          .workspace = workspace(),
          .product = product,
          .stop = &stop,
          .before_schemas = [this](const config::Config& c, Diagnostics& d) { installed_->prepare(c, d); },
          .encryption = env("TF_ENCRYPTION"),
          .plan_codec = plan_codec,
          .json_of = [this](std::string_view state) { return json_of(state); },
          .early_variables =
              [this](const config::Module& root, Diagnostics& found) {
                return config::finalize_inputs(
                    root, run::given_inputs(context(), root, input_request({given_variables_}), found),
                    found);
              }};
}

std::unique_ptr<config::Config> Session::load_config(bool structure_only, const std::string& root_dir,
                                                     std::optional<std::string> test_dir,
                                                     const std::string& installed_as) {
  return run::load(context(), {structure_only, root_dir, std::move(test_dir), installed_as}, diags);
}

std::unique_ptr<config::Config> Session::load_structure(Diagnostics& found) {
  return run::load(context(), {.structure_only = true}, found);
}

bool Session::approved(std::string_view question, std::string_view otherwise, std::string_view unasked) {
  if (stream) {
    diags.error("Error asking for approval", fmt::format("With -json, nobody can be asked. {}{}{}", otherwise,
                                                         unasked.empty() ? "" : " ", unasked));
    return false;
  }
  prose(fmt::format("\n{}\n  Only 'yes' will be accepted to approve.\n\n  Enter a value: ", question));
  std::string line;
  const Typed typed = io.read_line(line);
  io.out("\n");
  if (typed == Typed::Interrupted)
    stop = true;  // what follows ends the run, and waits for no server for long
  if (typed == Typed::Interrupted)
    diags.error("Approval interrupted",
                fmt::format("The command was interrupted before the question was answered. {}", otherwise));
  if (typed == Typed::End && !io.in_is_terminal)  // at a terminal it is a "no"
    diags.error("Error asking for approval",
                fmt::format("Standard input ended before the question was answered. {}{}{}", otherwise,
                            unasked.empty() ? "" : " ", unasked));
  return typed == Typed::Line && line == "yes";
}

std::optional<bool> Session::yes_or_no(std::string_view question, std::string_view otherwise) {
  std::string line;
  for (int asked = 0; asked < 3; ++asked) {  // "yes" as a program might never end to say "y"
    prose(fmt::format("\n{}\n\n  Enter a value: ", question));
    const Typed typed = io.read_line(line);
    io.out("\n");
    if (typed == Typed::Line && (line == "yes" || line == "no")) return line == "yes";
    if (typed == Typed::Line) continue;
    diags.error(
        "Error asking for confirmation",
        fmt::format("{} before the question was answered. {}",
                    typed == Typed::End ? "Standard input ended" : "The command was interrupted", otherwise));
    return std::nullopt;
  }
  diags.error("Error asking for confirmation",
              fmt::format("The answer must be \"yes\" or \"no\". {}", otherwise));
  return std::nullopt;
}

run::InputRequest Session::input_request(const VariableFlags& flags) const {
  run::InputRequest r;
  for (char** e = environ; *e; ++e) {
    std::string_view s = *e;
    size_t eq = s.find('=');
    if (s.substr(0, 7) == "TF_VAR_" && eq != std::string_view::npos)
      r.environment.emplace_back(s.substr(0, eq), s.substr(eq + 1));
  }
  r.options = flags.options;
  r.may_be_missing = flags.may_be_missing;
  r.ask = flags.input && input_allowed();
  return r;
}

bool Session::input_allowed() const {
  return env("TF_INPUT") != "0" && env("TF_INPUT") != "false";
}

std::string Session::unasked_by(bool input) const {
  if (stream) return "-json";
  if (!input) return "-input=false";
  return input_allowed() ? "" : "TF_INPUT=" + env("TF_INPUT");
}

run::Inputs Session::variables(const config::Config& c, const VariableFlags& flags) {
  return run::read_inputs(context(), *c.root->module, input_request(flags), *this, diags);
}

// In lines that fit the terminal.
static std::string described(std::string_view text, int width) {
  std::string out;
  for (size_t at = 0; at <= text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    render::put_hanging(out, "  ", text.substr(at, end - at), "  ", width);
    out += '\n';
    at = end + 1;
  }
  return out + '\n';
}

std::optional<std::string> Session::ask(const config::Variable& v, Diagnostics& diags) {
  const std::string question =
      fmt::format("var.{}{}\n{}  Enter a value: ", v.name.sv(), v.ephemeral ? " (ephemeral)" : "",
                  v.description.empty() ? "" : described(v.description, human.width - 1));
  const bool asked = io.in_is_terminal || io.would_wait();  // nobody is asked where the input has ended
  if (asked) io.out(question);
  std::string line;
  const Typed typed = io.read_line(line, v.sensitive ? Echo::Hidden : Echo::Shown);
  if (asked || typed == Typed::Line) io.out((asked ? "" : question) + "\n");
  if (typed == Typed::End) return std::nullopt;
  if (typed == Typed::Line) return line;
  diags.error("Input interrupted",
              fmt::format("Entering the value of \"{}\" was interrupted. Nothing was changed.", v.name.sv()));
  return std::nullopt;
}

std::string Session::workspace() const {
  return backend::WorkspaceSelection{data_dir}.current();
}

const crypt::Encryption* Session::encryption(const config::Config* c,
                                             const std::vector<config::VariableOption>& variables,
                                             const std::string& of) {
  if (!encryption_) encryption_ = encryption_of(c, variables, of, diags);
  return encryption_ ? &*encryption_ : nullptr;
}

std::optional<crypt::Encryption> Session::encryption_of(const config::Config* c,
                                                        const std::vector<config::VariableOption>& variables,
                                                        const std::string& workspace, Diagnostics& out) {
  VariableFlags given;
  given.options = variables;
  run::Context there = context();
  if (!workspace.empty()) there.workspace = workspace;
  return c ? run::module_encryption(there, *c->root->module, input_request(given), out)
           : run::directory_encryption(there, input_request(given), out);
}

// Nothing where a provider is missing, or where the state is encrypted and is thus not the server's to read.
std::optional<std::string> Session::json_of(std::string_view state) const {
  if (crypt::is_encrypted_state(state)) return std::nullopt;
  const Result<State> read = read_state(std::make_shared<const std::string>(state));
  if (!read) return std::nullopt;
  JsonWriter w;
  Diagnostics found;
  render::write_state_json(*read, schemas_->lookup(), render::Unreadable::Refused, w, found);
  return found.has_errors() ? std::nullopt : std::optional(w.take());
}

bool Session::open_state(const StateFlags& flags, const config::Config* c, const std::string& operation,
                         Opened& out) {
  const crypt::Encryption* e = encryption(c, flags.variables);
  if (!e) return false;
  const auto [settings, backend] = backend::configured(c, opening(*e), diags);
  return backend && open_state(flags, *backend, operation, out);
}

bool Session::lock(StateStore& store, const StateFlags& flags, const std::string& operation) {
  return run::lock_state(context(), store, flags, operation, *this, diags);
}

bool Session::open_state(const StateFlags& flags, const backend::Backend& backend,
                         const std::string& operation, Opened& out) {
  return run::open_state(context(), flags, backend, operation, *this, out, diags);
}

void Session::unlock(StateStore& store) {
  run::unlock_state(store, *this, diags);
}

void Session::slow(run::Slow what) {
  what == run::Slow::Locking
      ? notice("state_lock_acquire", "Acquiring state lock. This may take a few moments...")
      : notice("state_lock_release", "Releasing state lock. This may take a few moments...");
}

void Session::notice(std::string_view type, std::string_view text) {
  for (const render::JsonStream* to : {stream.get(), into.get()})
    if (to)
      to->message(
          "info", text, [&](JsonWriter& w) { w.member("type", type); }, render::JsonStream::Time::Seconds);
  if (stream) return;
  const std::string line = std::string(text) + "\n";
  if (json) return io.err(line);
  io.out(line);
  io.flush();
}

bool Session::save(StateStore& store, State& changed) {
  const size_t errors = diags.error_count();
  print_unsaved(run::save(context(), store, changed, diags));
  return diags.error_count() == errors;
}

void Session::print_unsaved(const std::string& text) {
  if (!text.empty()) io.err(text);
}

bool Session::report_missing_providers() {
  return installed_->report(diags);
}

}  // namespace xplan::cmd
