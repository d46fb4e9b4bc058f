// import: brings an existing object under management, as the object of one resource instance in the state.
#include <fmt/format.h>

#include "cmd/xplan/commands.h"
#include "cmd/xplan/json_progress.h"
#include "cmd/xplan/progress.h"
#include "cmd/xplan/state_access.h"
#include "core/run/run.h"

namespace xplan::cmd {

int run_import(Session& s, const Args& args) {
  std::vector<std::string> given;
  std::string config_dir;
  EditFlags f;
  VariableFlags vars;
  Flags flags(
      "import ADDRESS ID",
      "Imports an existing object into the state, for a resource instance declared in the configuration.");
  flags.text("config", config_dir, "Directory of the configuration.", "DIR")
      .accepted_flag("allow-missing-config")  // the configuration is required
      .accepted_value("parallelism");
  f.add(flags, EditFlags::Values::OfCommand);
  vars.add(flags);
  flags.accepted_flag("show-sensitive")
      .accepted_flag("concise");  // no values are shown, and nothing is told twice
  flags.arguments(given, 2, 2, "the address of a resource instance and the ID of the object");
  if (std::optional<int> code = s.parse_telling(flags, args)) return *code;
  if (s.json) vars.input = false;
  AbsInstance addr;
  if (!parse_instance(s, given[0], addr)) return s.finish();
  if (addr.resource.mode != Mode::Managed)
    return s.diags.error("Only managed resources can be imported",
                         fmt::format("{} is not a managed resource. It is read in each run, not managed.",
                                     addr.text())),
           s.finish();
  run::ImportRequest r{addr, given[1], config_dir, s.input_request(vars), f, {}};
  ObjectId id;
  r.progress = [&](const Value* found) {
    if (!found) return s.tell(fmt::format("{}: Importing from ID \"{}\"...", addr.text(), given[1]));
    id = object_id(*found);
    for (const render::JsonStream* to : {s.stream.get(), s.into.get()})
      if (to) JsonProgress(*to).refresh_start(addr, "", id);
    if (s.stream) return;
    s.io.out(fmt::format("{0}: Import prepared!\n  Prepared {1} for import\n{0}: Refreshing state...{2}\n",
                         addr.text(), addr.resource.type.sv(), id_suffix(id)));
  };
  const std::optional<run::Imported> imported = run::import_existing(s.context(), r, s, s.diags);
  if (imported) s.print_unsaved(imported->unsaved);
  if (!imported || s.diags.has_errors()) return s.finish();
  for (const render::JsonStream* to : {s.stream.get(), s.into.get()})
    if (to) JsonProgress(*to).refresh_done(addr, id);
  constexpr std::string_view kDone = "Import successful!";
  constexpr std::string_view kMeaning =
      "The object is now in the state. The next plan will show how it differs from the configuration.";
  std::string done, meaning;
  render::put(done, kDone, render::Style::BoldGreen, s.human.color);
  render::put_wrapped(meaning, kMeaning, s.human.width - 1);
  s.tell(fmt::format("\n{}\n\n{}\n", done, meaning), {}, fmt::format("{} {}", kDone, kMeaning));
  return s.finish();
}

}  // namespace xplan::cmd
