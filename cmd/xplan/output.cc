// output: the output values of the root module, as the state has them.
#include <fmt/format.h>

#include "cmd/xplan/commands.h"
#include "cmd/xplan/state_access.h"
#include "render/human_state.h"

namespace xplan::cmd {

int run_output(Session& s, const Args& args) {
  std::vector<std::string> names;
  bool raw = false;
  StateFlags sf;
  sf.lock = false;
  Flags flags("output [NAME]", "Shows the output values of the root module, or the one named NAME.");
  flags.flag("json", s.json, "Print JSON.")
      .flag("raw", raw, "Print the string, number or bool as is, without quotes or a line break.");
  flags.text("state", sf.state, "State file to read.", "PATH");
  sf.add_values(flags);
  s.add_show_sensitive(flags);
  s.add_json_into(flags, Session::Into::Document);
  flags.arguments(names, 0, 1, "at most the name of one output");
  if (std::optional<int> code = s.parse(flags, args)) return *code;
  s.values_only = raw;
  if (raw && s.json)
    s.diags.error("Incompatible command line options", "-raw and -json cannot be used together.");
  else if (raw && names.empty())
    s.diags.error("Output name required", "-raw prints a single output, so an output name is required.");
  if (s.diags.has_errors()) return s.finish();
  Opened o;
  if (!open_selected_state(s, sf, "output", Missing::Allowed, o)) return s.finish();
  const auto& outputs = o.state.outputs;
  if (names.empty() && s.wants_document()) s.put_document(render::outputs_json(outputs));
  if (names.empty() && s.json) return s.finish();
  if (outputs.empty() && !s.json) {
    s.diags.warn("No outputs found",
                 "The state has no outputs. Declare outputs with \"output\" blocks in the root module; they "
                 "are available after the next apply. Outputs whose value is null are not stored.");
    return s.finish();
  }
  if (names.empty()) {
    std::string text;
    render::render_outputs(outputs, s.human, text);
    s.io.out(text);
    return s.finish();
  }
  auto it = outputs.find(Symbol(names[0]));
  if (it == outputs.end()) {
    std::vector<std::string_view> known;
    for (const auto& [name, value] : outputs) known.push_back(name.sv());
    std::string_view near = did_you_mean(names[0], known);
    s.diags.error(
        "Output not found",
        fmt::format("The state has no output \"{}\".{} Outputs are recorded by an apply, except for "
                    "those whose value is null. If this one is new in the configuration, run an "
                    "apply.",
                    names[0], near.empty() ? "" : fmt::format(" Did you mean \"{}\"?", near)));
    return s.finish();
  }
  const Value& v = it->second.value;
  std::string text;
  if (s.wants_document()) s.put_document(render::output_json(v));
  if (s.json) return s.finish();
  if (!raw && !render::check_shown(v, s.diags)) return s.finish();
  if (!raw)
    text = render::output_value_text(v);
  else if (!render::output_raw_text(v, text, s.diags))
    return s.finish();
  if (!raw && (text.empty() || text.back() != '\n')) text += '\n';
  s.io.out(text);
  return s.finish();
}

}  // namespace xplan::cmd
