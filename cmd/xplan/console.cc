// console: evaluates expressions against the configuration and the state, or against what a plan would make
// of it.
#include <fmt/format.h>

#include "cmd/xplan/commands.h"
#include "cmd/xplan/incomplete.h"
#include "cmd/xplan/interrupt.h"
#include "cmd/xplan/line_editor.h"
#include "cmd/xplan/operation.h"
#include "cmd/xplan/state_access.h"
#include "core/base/clock.h"
#include "core/base/text.h"
#include "core/config/bind_expression.h"
#include "core/plan/world.h"

namespace xplan::cmd {
namespace {

constexpr std::string_view kHelp =
    "Enter an expression, as you would write it in the configuration, to see its value. Refer to objects in "
    "the state by their addresses, as in aws_instance.web.id. An expression with open brackets continues on "
    "the next line. Ctrl-C discards the input; at an empty prompt it ends the console, as do \"exit\" and "
    "Ctrl-D. A line that begins with a space is not saved in the history.\n";

class Console {
 public:
  Console(Session& s, std::unique_ptr<World> w) : s_(s), world_(std::move(w)), scope_(world_->root()) {}

  // Names mean from now on what they mean in this module instance. False after reporting.
  bool enter(const std::string& text) {
    std::string why;
    const std::optional<ModuleInstance> a = parse_module_instance(text, &why);
    if (!a) {
      s_.diags.error("Invalid scope", fmt::format("\"{}\" (-scope) is not a valid address of a module "
                                                  "instance. {}",
                                                  text, why));
      return false;
    }
    scope_ = world_->find(*a);
    if (!scope_)
      s_.diags.error("No such module instance",
                     fmt::format("The configuration has no module instance {} (-scope).", a->text()));
    return scope_ != nullptr;
  }

  // Prints the value of one expression; false after an error, which is in the session's diagnostics.
  bool evaluate(const std::string& text) {
    const syntax::Expr* e = nullptr;
    files_.push_back(syntax::parse_expression(s_.sources, "<console-input>", text, e, s_.diags));
    if (s_.diags.has_errors() || !e) return false;
    config::bind_expression(*scope_->node->module, *scope_->node, *e, s_.diags);
    if (s_.diags.has_errors()) return false;
    enter_phase(RunPhase::Working);
    Value v = eval::evaluate(*e, ModuleScope(*world_, *scope_), s_.diags);
    enter_phase(RunPhase::Trying);
    forget_interrupt();
    if (s_.diags.has_errors()) return false;
    s_.io.out(eval::console_text(s_.human.show_sensitive ? v.unmark_deep() : v) + "\n");
    s_.io.flush();
    return true;
  }

  std::vector<std::string> words() const {
    std::vector<std::string> out{"path.module", "path.root", "path.cwd", "terraform.workspace",
                                 "true",        "false",     "null",     "exit",
                                 "help"};
    const config::Module& m = *scope_->node->module;
    for (const config::Variable& v : m.variables) out.push_back("var." + std::string(v.name.sv()));
    for (const config::Local& l : m.locals) out.push_back("local." + std::string(l.name.sv()));
    for (const config::ModuleCall& c : m.calls) out.push_back("module." + std::string(c.name.sv()));
    for (const config::Resource& r : m.resources) out.push_back(r.addr.text());
    for (std::string_view f : world_->functions_of(&m).names())
      if (f.substr(0, 6) != "core::") out.push_back(std::string(f) + "(");
    return out;
  }

 private:
  Session& s_;
  std::unique_ptr<World> world_;
  const ModuleInst* scope_;
  std::vector<std::unique_ptr<syntax::File>> files_;
};

// Reads and evaluates until the input ends. From a pipe the first error ends it too.
int loop(Session& s, Console& console) {
  enter_phase(RunPhase::Trying);
  std::unique_ptr<LineEditor> editor;
  if (s.io.in_is_terminal) {
    ConsoleHistory history(ConsoleHistory::default_path([](const char* name) { return std::getenv(name); }));
    editor = std::make_unique<LineEditor>(console.words(), std::move(history));
  }
  std::string text, line;
  auto read = [&] {
    s.io.flush();
    return editor ? editor->read(text.empty() ? "> " : ": ", line) : s.io.read_line(line);
  };
  bool more = true;
  while (more) {
    const Typed typed = read();
    if (typed == Typed::Interrupted && editor) {  // what was typed is dropped, or the console ends
      if (text.empty() && !editor->was_typing()) break;
      text.clear();
      s.io.out("\n");
      continue;
    }
    more = typed == Typed::Line;
    if (more) text += text.empty() ? line : "\n" + line;
    std::string whole(trimmed(text));
    if (more && is_incomplete(text)) continue;
    text.clear();
    if (whole.empty()) continue;
    if (whole == "exit") break;
    if (whole == "help") {
      std::string text;
      render::put_wrapped(text, kHelp, help_width(s.io));
      s.io.out(text);
      continue;
    }
    bool ok = console.evaluate(whole);
    if (ok && s.diags.empty()) continue;
    if (!editor && !ok) return s.finish();
    s.print_diagnostics();
  }
  if (editor) s.io.out("\n");
  return s.finish();
}

}  // namespace

int run_console(Session& s, const Args& args) {
  bool plan = false;
  std::string scope;
  OperationFlags f;
  Flags flags("console", "Evaluates expressions interactively, or one per line from standard input.");
  flags.flag("plan", plan, "Create a plan first, and use the planned values.");
  flags.number("parallelism", f.parallelism, "With -plan: number of concurrent operations (default 10).");
  f.variables.add(flags);
  f.state.add_lock(flags, "With -plan: ");
  flags.text("state", f.state.state, "State file to read.", "PATH");
  flags.text("scope", scope, "Evaluate in this module instance, not in the root module.", "MODULE");
  s.add_show_sensitive(flags);
  if (std::optional<int> code = s.parse(flags, args)) return *code;
  s.json = s.concise = true;  // nothing but values goes to standard output
  f.variables.may_be_missing = !plan;
  PlanOptions o;
  std::unique_ptr<config::Config> c;
  State state;
  if (plan) {
    f.config_optional = true;
    auto planned = make_plan_for(s, f, "console");
    if (!planned) return s.finish(1);
    s.unlock(*planned->state.store);
    s.print_diagnostics();  // with errors, what was planned before them can still be looked at
    state = planned_state(planned->plan);
    o.variables = planned->variables;
    c = std::move(planned->config).take();
  } else {
    c = s.load_config();
    if (s.diags.has_errors()) return s.finish();
    run::Inputs inputs = s.variables(*c, f.variables);
    o.variables = std::move(inputs.values), o.given_variables = std::move(inputs.given);
    f.state.variables = f.variables.options;
    f.state.lock = false;  // only read, and a file is replaced as a whole
    Opened opened;
    if (s.diags.has_errors() || !s.open_state(f.state, c.get(), "console", opened)) return s.finish();
    o.encryption = s.encryption(c.get(), f.variables.options);
    state = std::move(opened.state);
  }
  o.timestamp = utc_now();
  o.stop = &s.stop;
  o.workspace = s.workspace();
  o.cwd = s.cwd;
  Console console(s, evaluate_world(*c, state, o, *s.providers, s.diags));
  if (s.stop) return s.finish(1);
  if (!scope.empty() && !console.enter(scope)) return s.finish();
  s.print_diagnostics();  // values with errors are unknown; the others can be looked at
  return loop(s, console);
}

}  // namespace xplan::cmd
