// The frame of every command: common flags, environment settings, loading the configuration, input
// variables, opening and locking the state, printing diagnostics, the exit code.
#include "cmd/xplan/session.h"

#include <unistd.h>

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "cmd/xplan/backend.h"
#include "cmd/xplan/installed_providers.h"
#include "cmd/xplan/slow_notice.h"
#include "core/config/version.h"
#include "core/state/lock.h"
#include "render/human_diag.h"

extern char** environ;

namespace xplan::cmd {
namespace {

std::string env(const char* name) {
  const char* v = std::getenv(name);
  return v ? v : "";
}

}  // namespace

void StateFlags::add_lock(Flags& f) {
  f.flag("lock", lock, "Do not lock the state. Concurrent runs can then overwrite each other's changes.");
  f.text("lock-timeout", lock_timeout, "How long to wait for a held lock.", "30s");
}
void StateFlags::add_paths(Flags& f) {
  f.text("state", state, "State file to read, and to write unless -state-out is set.", "PATH");
  f.text("state-out", state_out, "State file to write.", "PATH");
  f.text("backup", backup, "Where to back up the previous state; \"-\" disables the backup.", "PATH");
}
void VariableFlags::add(Flags& f) {
  f.ordered({{"var", "Value of an input variable: -var 'name=value'. May be repeated."},
             {"var-file", "File with input variable values. May be repeated."}},
            [this](std::string_view name, std::string value) {
              options.push_back({name == "var-file", std::move(value)});
            });
  f.flag("input", input, "Do not ask for missing values.");
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
  human.color = io.out_is_terminal && env("NO_COLOR").empty();
  human.in_automation = !env("TF_IN_AUTOMATION").empty();
}
Session::~Session() = default;

std::optional<int> Session::parse(Flags& f, const std::vector<std::string>& args,
                                  const std::function<void()>& before_misuse) {
  f.flag("no-color", no_color_, "No colours in the output.");
  f.flag("compact-warnings", compact_, "Show only the summaries of warnings.");
  auto plain = [this] { human.color = false, human.plain_diagnostics = true; };
  auto misuse = [&](std::string_view summary, std::string detail) {
    if (std::find(args.begin(), args.end(), "-no-color") != args.end()) plain();
    if (before_misuse) before_misuse();
    diags.error(summary, std::move(detail));
    finish();
  };
  if (std::optional<int> code = f.parse(args, io, misuse)) return code;
  if (no_color_) plain();
  human.compact_warnings = compact_;
  human.product = product;
  human.command = program;
  return std::nullopt;
}

void Session::print_diagnostics() {
  if (diags.empty()) return;
  if (stream) {
    stream->diagnostics(diags, &sources);
    diags.clear();
    return;
  }
  auto out = [&](std::string_view text) { json || values_only ? io.err(text) : io.out(text); };
  render::render_diagnostics(diags, &sources, human, out, [&](std::string_view text) { io.err(text); });
  diags.clear();
}

void Session::begin_stream() {
  bool compatible = product != "xplan";
  stream = std::make_unique<render::JsonStream>(
      [this](std::string_view line) {
        io.out(line);
        io.flush();
      },
      product == "OpenTofu" ? "tofu.ui" : "terraform.ui");
  stream->version(product, compatible ? kLanguageVersion : kProgramVersion, kLanguageVersion);
}

int Session::finish(int code) {
  bool errors = diags.has_errors();
  print_diagnostics();
  io.flush();
  return errors ? 1 : code;
}

std::unique_ptr<config::Config> Session::load_config(bool structure_only, const std::string& root_dir,
                                                     std::optional<std::string> test_dir,
                                                     const std::string& installed_as) {
  config::LoadOptions o;
  if (!root_dir.empty()) o.root_dir = root_dir;
  o.data_dir = data_dir;
  o.structure_only = structure_only;
  o.installed_as = installed_as;
  o.test_dir = std::move(test_dir);
  o.before_schemas = [this](const config::Config& c, Diagnostics& d) { installed_->prepare(c, d); };
  return config::load(real_fs(), sources, o, structure_only ? nullptr : schemas_.get(), diags);
}

std::unique_ptr<config::Config> Session::load_config_from(Fs& files, Diagnostics& found) {
  config::LoadOptions o;
  o.data_dir = data_dir;
  o.before_schemas = [this](const config::Config& c, Diagnostics& d) { installed_->prepare(c, d); };
  return config::load(files, sources, o, schemas_.get(), found);
}

bool Session::approved(std::string_view question, std::string_view otherwise) {
  io.out(fmt::format("\n{}\n  Only 'yes' will be accepted to approve.\n\n  Enter a value: ", question));
  std::string line;
  const Typed typed = io.read_line(line);
  io.out("\n");
  if (typed == Typed::Interrupted)
    diags.error("Approval interrupted", fmt::format("The question was interrupted. {}", otherwise));
  return typed == Typed::Line && line == "yes";
}

void Session::require_config_files(const config::Config& c) {
  if (diags.has_errors() || !c.root->module->files.empty()) return;
  diags.error(
      "No configuration files",
      fmt::format("There are no configuration files (.tf or .tf.json) in {}. Planning without a "
                  "configuration would destroy everything in the state; to do that, use \"{} destroy\".",
                  cwd, program));
}

config::InputValues Session::given_values(const config::Module& root, const VariableFlags& flags) {
  config::InputOptions o;
  for (char** e = environ; *e; ++e) {
    std::string_view s = *e;
    size_t eq = s.find('=');
    if (s.substr(0, 7) == "TF_VAR_" && eq != std::string_view::npos)
      o.environment.emplace_back(s.substr(0, eq), s.substr(eq + 1));
  }
  o.options = flags.options;
  o.read_given = [this](const std::string& path) { return read_given(path, &stop); };
  return config::collect_inputs(real_fs(), sources, root, o, diags);
}

RootValues Session::variables(const config::Config& c, const VariableFlags& flags,
                              std::vector<PlanVariable>& given) {
  const config::Module& root = *c.root->module;
  config::InputValues inputs = given_values(root, flags);
  std::vector<const config::Variable*> missing = config::missing_inputs(root, inputs);
  bool may_ask = flags.input && !flags.may_be_missing && io.in_is_terminal && env("TF_INPUT") != "0" &&
                 env("TF_INPUT") != "false";
  if (may_ask && !diags.has_errors()) {
    std::sort(missing.begin(), missing.end(), [](const config::Variable* a, const config::Variable* b) {
      return a->name.sv() < b->name.sv();
    });
    for (const config::Variable* v : missing) {
      io.out(fmt::format("var.{}{}\n{}  Enter a value: ", v->name.sv(), v->ephemeral ? " (ephemeral)" : "",
                         v->description.empty() ? "" : "  " + v->description + "\n\n"));
      std::string line;
      const Typed typed = io.read_line(line, v->sensitive ? Echo::Hidden : Echo::Shown);
      if (typed == Typed::End) break;
      io.out("\n");
      if (typed == Typed::Interrupted) {
        diags.error(
            "Input interrupted",
            fmt::format("Entering the value of \"{}\" was interrupted. Nothing was changed.", v->name.sv()));
        return {};
      }
      config::InputValue in;
      in.from = config::InputValue::From::Prompt;
      in.origin = "the prompt";
      in.value = config::parse_input_text(sources, *v, line, diags);
      inputs.emplace(v->name, std::move(in));
    }
    missing = config::missing_inputs(root, inputs);
  }
  if (!flags.may_be_missing) config::report_missing_inputs(missing, diags);
  for (const config::Variable& v : root.variables) {
    auto it = inputs.find(v.name);
    PlanVariable p;
    p.name = v.name;
    p.ephemeral = v.ephemeral;
    p.from_default = it == inputs.end();
    if (it == inputs.end() && !v.has_default) continue;
    p.value = (it == inputs.end() ? v.default_value : it->second.value).unmark_deep();
    given.push_back(std::move(p));
  }
  return config::finalize_inputs(root, inputs, diags);
}

std::string Session::workspace() const {
  return Workspaces{data_dir}.current();
}

bool Session::open_state(const StateFlags& flags, const config::Config* c, const std::string& operation,
                         Opened& out) {
  return selected_backend(*this, c, out.backend) && open_state(flags, out.backend, operation, out);
}

bool Session::lock(StateStore& store, const StateFlags& flags, const std::string& operation) {
  int64_t timeout = 0;
  if (!parse_duration_ms(flags.lock_timeout, timeout)) {
    diags.error(
        "Invalid lock timeout",
        fmt::format("\"{}\" is not a valid duration. Write 30s or 2m, for example.", flags.lock_timeout));
    return false;
  }
  if (!flags.lock) return true;
  SlowNotice slow(
      [this] { notice("state_lock_acquire", "Acquiring state lock. This may take a few moments..."); });
  Result<void> ok = store.lock(operation, timeout, &stop);
  slow.end();
  if (ok) return true;
  std::string detail = ok.error().sentence();
  if (!locked_by_other(store.path()))
    detail +=
        "\n\nThe lock is not held by another run; it could not be created. Fix the cause, or use "
        "-lock=false if no other run can change the state.";
  diags.error("Error acquiring the state lock", std::move(detail));
  return false;
}

bool Session::open_state(const StateFlags& flags, const Backend& backend, const std::string& operation,
                         Opened& out) {
  std::string ws = workspace();
  if (!valid_workspace_name(ws)) {
    diags.error(
        "Invalid workspace name",
        fmt::format("The workspace name \"{}\" contains characters that are not allowed in a name.", ws));
    return false;
  }
  const std::string state =
      flags.state.empty() ? backend.state_path(backend.workspaces(data_dir), ws) : flags.state;
  out.store = open_local_store({state, flags.state_out, flags.backup});
  if (!lock(*out.store, flags, operation)) return false;
  Result<State> s = out.store->read(diags);
  if (!s) {
    diags.error("Failed to load state", s.error().sentence());
    return false;
  }
  out.state = std::move(*s);
  return !diags.has_errors();
}

void Session::unlock(StateStore& store) {
  SlowNotice slow(
      [this] { notice("state_lock_release", "Releasing state lock. This may take a few moments..."); });
  store.unlock();
}

void Session::notice(std::string_view type, std::string_view text) {
  if (stream)
    return stream->message(
        "info", text, [&](JsonWriter& w) { w.member("type", type); }, render::JsonStream::Time::Seconds);
  const std::string line = std::string(text) + "\n";
  if (json) return io.err(line);
  io.out(line);
  io.flush();
}

void Session::report_unsaved(const StateStore& store, const Error& why) {
  const std::string_view text = store.unsaved();
  diags.error(
      "Failed to save state",
      why.sentence() + (text.empty() ? ""
                                     : " To prevent data loss, the whole state is printed to standard "
                                       "error. Save it to a file, and restore that with \"state push\" "
                                       "when there is enough space."));
  if (!text.empty()) io.err(text);
}

bool Session::report_missing_providers() {
  return installed_->report(diags);
}

schema::Lookup Session::schema_lookup() {
  return [this](const ProviderAddr& p, Mode mode, Symbol type) { return schemas_->find(p, mode, type); };
}

bool parse_duration_ms(const std::string& text, int64_t& ms) {
  double total = 0;
  size_t i = 0;
  if (text == "0") return ms = 0, true;
  if (text.empty()) return false;
  while (i < text.size()) {
    size_t start = i;
    while (i < text.size() && (std::isdigit(static_cast<unsigned char>(text[i])) || text[i] == '.')) ++i;
    if (i == start) return false;
    double n = std::strtod(text.substr(start, i - start).c_str(), nullptr);
    size_t unit = i;
    while (i < text.size() && std::isalpha(static_cast<unsigned char>(text[i]))) ++i;
    std::string u = text.substr(unit, i - unit);
    if (u == "ms")
      total += n;
    else if (u == "s")
      total += n * 1000;
    else if (u == "m")
      total += n * 60000;
    else if (u == "h")
      total += n * 3600000;
    else if (u == "us" || u == "ns")
      total += 0;
    else
      return false;
  }
  ms = static_cast<int64_t>(total);
  return true;
}

}  // namespace xplan::cmd
