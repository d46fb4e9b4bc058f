// Provisioners of a resource: which of them run on creation and destruction, their arguments and connections,
// output that is kept back because it may be sensitive, and what a failure means (on_failure); local-exec.
#include <fmt/format.h>

#include <algorithm>

#include "core/apply/local_exec.h"
#include "core/apply/provisioner.h"
#include "core/base/quote.h"
#include "core/plan/provisioner_check.h"
#include "core/schema/decode.h"

namespace xplan::applying {
namespace {

// The command that the arguments of a local-exec block ask for; null arguments are those not given.
Command command_of(const ProvisionerCall& call) {
  auto get = [&](std::string_view name) -> const Value& { return *call.arguments.find_attr(name); };
  auto word = [](const Value& v) { return v.is_string() ? std::string(v.as_string()) : std::string(); };
  Command c;
  c.command = call.word("command");
  c.working_dir = call.word("working_dir");
  if (const Value& interpreter = get("interpreter"); !interpreter.is_null()) {
    c.interpreter.clear();
    for (const Value& e : interpreter.elements()) c.interpreter.push_back(word(e));
  }
  if (const Value& env = get("environment"); !env.is_null())
    for (size_t i = 0; i < env.length(); ++i)
      if (env.elements()[i].is_string()) c.environment.emplace(env.map_key(i), word(env.elements()[i]));
  return c;
}

// To the hooks. What was recorded before the object was created is told by then, and nobody waits with what
// a creation prints for records of others, which can take as long as a server is silent.
template <class... P, class... A>
void tell(ApplyRun& run, const config::Provisioner& p, void (Hooks::*what)(P...), A... args) {
  if (p.on_destroy)
    run.tell(what, std::move(args)...);
  else
    (run.hooks.*what)(args...);
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

std::string run_local_exec(const ProvisionerCall& call) {
  const Command c = command_of(call);
  if (c.command.empty()) return "The command is empty, so there is nothing to run.";
  if (c.interpreter.empty())
    return "The interpreter is an empty list; it must contain at least the program to run.";
  const bool quiet = call.arguments.find_attr("quiet")->is_true();
  call.tell(quiet ? "local-exec: Executing: Suppressed by quiet=true" : executing(c));
  Tail tail;
  Result<void> ok = run_command(c, call.run.options.stop, [&](std::string_view line) {
    call.tell(line);
    if (!call.hides()) tail.add(line);
  });
  if (ok) return "";
  if (call.hides())
    return fmt::format(
        "The command failed: {}. The command and its output are not shown, because they contain a sensitive "
        "value.",
        ok.error().message);
  return fmt::format("The command \"{}\" failed: {}.{}", c.command, ok.error().message, tail.text());
}

struct Row {
  std::string_view type;
  std::string (*run)(const ProvisionerCall&);
};
constexpr Row kProvisioners[] = {
    {"local-exec", run_local_exec}, {"remote-exec", run_remote_exec}, {"file", run_file}};

// Why the provisioner failed, or nothing; problems of its configuration go to `diags`.
std::string run_one(ApplyRun& run, const config::Provisioner& p, const AbsInstance& addr,
                    const eval::Scope& scope, Diagnostics& diags) {
  const auto* row = std::find_if(std::begin(kProvisioners), std::end(kProvisioners),
                                 [&](const Row& r) { return r.type == p.type.sv(); });
  if (row == std::end(kProvisioners)) return fmt::format("There is no provisioner \"{}\".", p.type.sv());
  const Value marked = schema::decode(p.body, *config::provisioner_schema(p.type), scope, diags);
  Value connection = Value::null();
  if (config::needs_connection(p.type)) {
    if (!p.whole_connection) return report_missing_connection(p, diags), "";
    connection = schema::decode(*p.whole_connection, config::connection_schema(), scope, diags);
  }
  if (diags.has_errors()) return "";
  if (!marked.is_wholly_known() || !connection.is_wholly_known())
    return fmt::format("An argument of the {} depends on a value that is not known.",
                       marked.is_wholly_known() ? "connection" : "provisioner");
  check_provisioner(p, marked, connection.is_null() ? nullptr : &connection, diags);
  if (diags.has_errors()) return "";
  const ProvisionerCall call{run,
                             p,
                             addr,
                             marked.unmark_deep(),
                             connection.unmark_deep(),
                             connection,
                             Secrets(connection),
                             marked.deep_marks()};
  return call.secrets.hide(without_secrets(marked, row->run(call)));
}

}  // namespace

void ProvisionerCall::tell(std::string_view line) const {
  applying::tell(run, block, &Hooks::provision_output, addr, block.type.sv(),
                 hides() ? std::string(suppressed(marks)) : secrets.hide(std::string(line)));
}

std::string ProvisionerCall::word(std::string_view name) const {
  const Value& v = *arguments.find_attr(name);
  return v.is_string() ? std::string(v.as_string()) : std::string();
}

void Tail::add(std::string_view line) {
  kept_ += line;
  kept_ += '\n';
  if (kept_.size() > 8192) kept_.erase(0, kept_.size() - 4096);
}

bool provision(ApplyRun& run, const std::vector<config::Provisioner>& list, bool on_destroy,
               const AbsInstance& addr, const eval::Scope& scope, Diagnostics& diags) {
  for (const config::Provisioner& p : list) {
    if (p.on_destroy != on_destroy) continue;
    if (run.stopping()) {  // it would be ended at once
      diags
          .error(fmt::format("{} provisioner not started", p.type.sv()),
                 "The run was stopped before it began.", p.range)
          .address = addr.text();
      return false;
    }
    Diagnostics own;
    tell(run, p, &Hooks::provision_start, addr, p.type.sv());
    if (std::string why = run_one(run, p, addr, scope, own); !why.empty())
      own.error(fmt::format("{} provisioner error", p.type.sv()), std::move(why), p.range).address =
          addr.text();
    tell(run, p, &Hooks::provision_done, addr, p.type.sv(), !own.has_errors());
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
