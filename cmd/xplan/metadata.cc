// metadata: what the language consists of, for other tools: its functions.
#include "cmd/xplan/commands.h"
#include "cmd/xplan/help.h"
#include "core/config/functions.h"
#include "render/json_functions.h"

namespace xplan::cmd {
namespace {

int functions(Session& s, const Args& args) {
  Flags flags("metadata functions -json", "Prints the signatures of the functions of the language.");
  flags.flag("json", s.json, "Print JSON (required: there is no other format).");
  s.add_json_into(flags, Session::Into::Document);
  if (std::optional<int> code = s.parse(flags, args)) return *code;
  if (!s.wants_document())
    return s.diags.error("The option -json is required",
                         "Signatures can be printed only as JSON. Add -json."),
           s.finish();
  eval::FunctionTable table;
  config::register_functions(table);
  s.put_document([&](JsonWriter& w) { render::write_functions_json(table, w); });
  return s.finish();
}

constexpr SubCommand kMetadataCommands[] = {
    {"functions", Does::Print, functions, "Print the signatures of the functions, as JSON"}};

}  // namespace

int run_metadata(Session& s, const Args& args) {
  return run_group(s, "metadata", "Prints metadata about the language, for other tools.", kMetadataCommands,
                   args);
}

}  // namespace xplan::cmd
