// Provisioners of a resource: when they run, what they see, and what their failure means.
#include <fmt/format.h>

#include "core/apply/applier.h"
#include "core/apply/local_exec.h"
#include "core/base/quote.h"

namespace xplan::applying {
namespace {

const Value& get(const Value& v, std::string_view name) {
  return *v.find_attr(name);
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

}  // namespace

bool Applier::provision(const std::vector<config::Provisioner>& list, bool on_destroy,
                        const AbsInstance& addr, const eval::Scope& scope, const std::optional<syntax::Rest>&,
                        InstanceResult& out) {
  for (const config::Provisioner& p : list) {
    if (p.on_destroy != on_destroy) continue;
    Diagnostics own;
    auto failed_here = [&](std::string why) {
      own.error(fmt::format("{} provisioner error", p.type.sv()), std::move(why), p.range).address =
          addr.text();
    };
    hooks.provision_start(addr, p.type.sv());
    if (p.type.sv() != "local-exec") {
      failed_here(fmt::format("Provisioners of type \"{}\" are not supported yet; only local-exec can run.",
                              p.type.sv()));
    } else {
      Value v = schema::decode(p.body, *config::provisioner_schema(p.type), scope, own);
      if (!own.has_errors() && !v.is_wholly_known())
        failed_here("An argument of the provisioner depends on a value that is not known.");
      if (!own.has_errors()) {
        Marks marks = v.deep_marks();
        v = v.unmark_deep();
        Command c;
        const Value &command = get(v, "command"), &interpreter = get(v, "interpreter"),
                    &dir = get(v, "working_dir"), &env = get(v, "environment");
        if (command.is_string()) c.command = command.as_string();
        if (!interpreter.is_null()) {
          c.interpreter.clear();
          for (const Value& e : interpreter.elements())
            c.interpreter.push_back(e.is_null() ? "" : std::string(e.as_string()));
        }
        if (dir.is_string()) c.working_dir = dir.as_string();
        if (!env.is_null())
          for (size_t i = 0; i < env.length(); ++i)
            if (env.elements()[i].is_string())
              c.environment.emplace(env.map_key(i), env.elements()[i].as_string());
        bool quiet = get(v, "quiet").is_true();
        if (c.command.empty()) {
          failed_here("The command is empty; there is nothing to run.");
        } else if (c.interpreter.empty()) {
          failed_here("The interpreter is an empty list; it needs at least the program to run.");
        } else {
          const bool hide = marks != 0;
          auto tell = [&](std::string_view line) {
            hooks.provision_output(addr, p.type.sv(), hide ? suppressed(marks) : line);
          };
          tell(quiet ? "local-exec: Executing: Suppressed by quiet=true" : executing(c));
          std::string tail;
          Result<void> ok = run_command(c, options.stop, [&](std::string_view line) {
            tell(line);
            if (hide) return;
            tail += line;
            tail += '\n';
            if (tail.size() > 8192) tail.erase(0, tail.size() - 4096);
          });
          if (!ok)
            failed_here(hide ? fmt::format("The command failed: {}. Its text and output are not shown, "
                                           "because a sensitive value is part of them.",
                                           ok.error().message)
                             : fmt::format("The command \"{}\" failed: {}.{}", c.command, ok.error().message,
                                           tail.empty() ? "" : " Output:\n" + tail));
        }
      }
    }
    bool ok = !own.has_errors();
    hooks.provision_done(addr, p.type.sv(), ok);
    if (!ok && p.continue_on_failure) {
      for (Diagnostic& d : own.mutable_all()) d.severity = Severity::Warning;
      own.recount();
    }
    bool stop_here = own.has_errors();
    out.diags.append(std::move(own));
    if (stop_here) return false;
  }
  return true;
}

}  // namespace xplan::applying
