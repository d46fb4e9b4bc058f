// taint and untaint: mark an object so that the next plan replaces it, and remove that mark.
#include <fmt/format.h>

#include "cmd/xplan/commands.h"
#include "cmd/xplan/state_access.h"
#include "core/state/edit.h"

namespace xplan::cmd {
namespace {

int run(Session& s, const Args& args, bool taint) {
  std::string_view name = taint ? "taint" : "untaint";
  std::vector<std::string> given;
  bool allow_missing = false;
  EditFlags f;
  Flags flags(fmt::format("{} ADDRESS", name),
              taint ? "Taints the object of a resource instance, so that the next plan replaces it."
                    : "Removes the taint, so that the object is no longer replaced.");
  flags.flag("allow-missing", allow_missing, "Report a missing instance as a warning only.");
  f.add(flags);
  flags.arguments(given, 1, 1, "the address of one resource instance");
  if (std::optional<int> code = s.parse_telling(flags, args)) return *code;
  AbsInstance a;
  if (!parse_instance(s, given[0], a)) return s.finish();
  Opened o;
  if (!open_selected_state(s, f, std::string(name), Missing::Allowed, o)) return s.finish();
  bool done = taint ? taint_instance(o.state, a, allow_missing, s.diags)
                    : untaint_instance(o.state, a, allow_missing, s.diags);
  if (!done) return finish_unchanged(s, {&o});
  if (!save_state(s, o, o.state)) return s.finish();
  s.tell(taint ? fmt::format("Resource instance {} has been marked as tainted.", a.text())
               : fmt::format("Resource instance {} has been successfully untainted.", a.text()));
  return s.finish();
}

}  // namespace

int run_taint(Session& s, const Args& args) {
  return run(s, args, true);
}
int run_untaint(Session& s, const Args& args) {
  return run(s, args, false);
}

}  // namespace xplan::cmd
