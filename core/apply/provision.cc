// Provisioners of a resource: which of them run on creation and destruction, their arguments, output that is
// kept back because it may be sensitive, and what a failure means (on_failure).
#include <fmt/format.h>

#include "core/apply/apply_run.h"
#include "core/apply/local_exec.h"
#include "core/base/quote.h"
#include "core/schema/decode.h"

namespace xplan::applying {
namespace {

// The command that the arguments of a local-exec block ask for; null arguments are those not given.
Command command_of(const Value& arguments) {
  auto get = [&](std::string_view name) -> const Value& { return *arguments.find_attr(name); };
  auto word = [](const Value& v) { return v.is_string() ? std::string(v.as_string()) : std::string(); };
  Command c;
  c.command = word(get("command"));
  c.working_dir = word(get("working_dir"));
  if (const Value& interpreter = get("interpreter"); !interpreter.is_null()) {
    c.interpreter.clear();
    for (const Value& e : interpreter.elements()) c.interpreter.push_back(word(e));
  }
  if (const Value& env = get("environment"); !env.is_null())
    for (size_t i = 0; i < env.length(); ++i)
      if (env.elements()[i].is_string()) c.environment.emplace(env.map_key(i), word(env.elements()[i]));
  return c;
}

// The words of the command, each in quotes: nothing in them can be taken for something else.
std::string executing(const Command& c) {
  std::string text = "Executing: [";
  for (const std::string& word : c.interpreter) append_quoted(text, word, Quoting::Debug), text += ' ';
  append_quoted(text, c.command, Quoting::Debug);
  return text + "]";
}

// What stands for a line that may hold a secret.
std::string_view suppressed(Marks marks) {
  return marks == (kSensitive | kEphemeral)
             ? "(output suppressed due to sensitive, ephemeral value in config)"
         : marks == kEphemeral ? "(output suppressed due to ephemeral value in config)"
                               : "(output suppressed due to sensitive value in config)";
}

// Runs the command, telling of each line; why it failed, or nothing. With marks, no line and no word of the
// command is told.
std::string run_local_exec(ApplyRun& run, const Command& c, Marks marks, bool quiet, const AbsInstance& addr,
                           std::string_view type) {
  if (c.command.empty()) return "The command is empty, so there is nothing to run.";
  if (c.interpreter.empty())
    return "The interpreter is an empty list; it must contain at least the program to run.";
  const bool hide = marks != 0;
  auto tell = [&](std::string_view line) {
    run.hooks.provision_output(addr, type, hide ? suppressed(marks) : line);
  };
  tell(quiet ? "local-exec: Executing: Suppressed by quiet=true" : executing(c));
  std::string tail;  // of the output, for the error
  Result<void> ok = run_command(c, run.options.stop, [&](std::string_view line) {
    tell(line);
    if (hide) return;
    tail += line;
    tail += '\n';
    if (tail.size() > 8192) tail.erase(0, tail.size() - 4096);
  });
  if (ok) return "";
  if (hide)
    return fmt::format(
        "The command failed: {}. The command and its output are not shown, because they contain a sensitive "
        "value.",
        ok.error().message);
  return fmt::format("The command \"{}\" failed: {}.{}", c.command, ok.error().message,
                     tail.empty() ? "" : " Output:\n" + tail);
}

// Why the provisioner failed, or nothing; problems of its configuration go to `diags`.
std::string run_one(ApplyRun& run, const config::Provisioner& p, const AbsInstance& addr,
                    const eval::Scope& scope, Diagnostics& diags) {
  if (!config::can_provision(p.type))
    return fmt::format("Provisioners of type \"{}\" are not supported yet; only local-exec is.", p.type.sv());
  Value arguments = schema::decode(p.body, *config::provisioner_schema(p.type), scope, diags);
  if (diags.has_errors()) return "";
  if (!arguments.is_wholly_known())
    return "An argument of the provisioner depends on a value that is not known.";
  const Marks marks = arguments.deep_marks();
  arguments = arguments.unmark_deep();
  return run_local_exec(run, command_of(arguments), marks, arguments.find_attr("quiet")->is_true(), addr,
                        p.type.sv());
}

}  // namespace

bool provision(ApplyRun& run, const std::vector<config::Provisioner>& list, bool on_destroy,
               const AbsInstance& addr, const eval::Scope& scope, Diagnostics& diags) {
  for (const config::Provisioner& p : list) {
    if (p.on_destroy != on_destroy) continue;
    Diagnostics own;
    run.hooks.provision_start(addr, p.type.sv());
    if (std::string why = run_one(run, p, addr, scope, own); !why.empty())
      own.error(fmt::format("{} provisioner error", p.type.sv()), std::move(why), p.range).address =
          addr.text();
    run.hooks.provision_done(addr, p.type.sv(), !own.has_errors());
    if (p.continue_on_failure && own.has_errors()) {
      for (Diagnostic& d : own.mutable_all()) d.severity = Severity::Warning;
      own.recount();
    }
    const bool failed = own.has_errors();
    diags.append(std::move(own));
    if (failed) return false;
  }
  return true;
}

}  // namespace xplan::applying
