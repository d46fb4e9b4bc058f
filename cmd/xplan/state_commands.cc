// The group "state": list, journal (state_journal.cc), show, pull, push, mv (state_move.cc), rm and
// replace-provider, one function each. They open and save the state through state_access.h; what an edit does
// to it is in core/state/edit.h.
#include <fmt/format.h>

#include "cmd/xplan/commands.h"
#include "cmd/xplan/help.h"
#include "cmd/xplan/state_access.h"
#include "core/base/command_line.h"
#include "core/config/version.h"
#include "core/run/run.h"
#include "core/state/edit.h"
#include "core/state/left_journal.h"
#include "core/state/lock.h"
#include "core/state/unknown_outcome.h"
#include "render/human_state.h"
#include "render/json_state.h"

namespace xplan::cmd {
namespace {

int list(Session& s, const Args& args) {
  std::vector<std::string> given;
  std::string id;
  StateFlags sf;
  sf.lock = false;
  Flags flags("state list [ADDRESS...]",
              "Lists all resource instances in the state, or those at the given addresses.");
  flags.text("id", id, "List only objects with this ID.", "ID")
      .text("state", sf.state, "State file to read.", "PATH");
  sf.add_values(flags);
  flags.arguments(given, 0, SIZE_MAX, "addresses");
  if (std::optional<int> code = s.parse_telling(flags, args)) return *code;
  s.values_only = true;
  std::vector<Target> targets;
  Opened o;
  if (!parse_targets(s, given, targets) || !open_selected_state(s, sf, "state-list", Missing::Error, o))
    return s.finish();
  for (const ListedInstance& i : list_instances(o.state, targets, id, s.diags))
    s.tell(i.addr.text(), [](JsonWriter& w) { w.member("type", "resource_address"); });
  return s.finish();
}

// As a state that has nothing else in it. OpenTofu begins with the version, as its streams do.
void put_instance(Session& s, const State& from, const AbsInstance& a, const InstanceState& i) {
  State alone;
  alone.terraform_version = from.terraform_version;
  alone.lineage = from.lineage;
  InstanceState& only = alone.ensure(a, from.resources.at(a.abs_resource()).provider);
  only.current = i.current;
  if (s.product == "OpenTofu") {
    const render::JsonStream lines([&](std::string_view line) { s.put_document(line); }, "tofu.ui");
    s.put_version(lines);
  }
  s.put_document([&](JsonWriter& w) {
    render::write_state_json(alone, s.schema_lookup(), render::Unreadable::Refused, w, s.diags);
  });
}

int show(Session& s, const Args& args) {
  std::vector<std::string> given;
  StateFlags sf;
  sf.lock = false;
  Flags flags("state show ADDRESS", "Shows the attributes of one resource instance.");
  flags.text("state", sf.state, "State file to read.", "PATH")
      .arguments(given, 1, 1, "the address of one resource instance");
  sf.add_values(flags);
  s.add_show_sensitive(flags);
  flags.flag("json", s.json, "Print JSON on one line, for other tools.");
  s.add_json_into(flags, Session::Into::Document);
  if (std::optional<int> code = s.parse(flags, args)) return *code;
  s.values_only = true;
  AbsInstance a;
  Opened o;
  if (!parse_instance(s, given[0], a) || !open_selected_state(s, sf, "state-show", Missing::Error, o))
    return s.finish();
  const InstanceState* i = o.state.find(a);
  if (!i || !i->current) {
    s.diags.error("No such object in the state", fmt::format("The state has no object at the address {}.{}",
                                                             a.text(), what_there_is(o.state, a.text())));
    return s.finish();
  }
  if (s.wants_document()) put_instance(s, o.state, a, *i);
  if (s.json || s.diags.has_errors()) return s.finish();
  std::string text;
  render::render_state_instance(a, *i, o.state.resources.at(a.abs_resource()).provider, s.schema_lookup(),
                                s.human, text, s.diags);
  s.io.out(text);
  return s.finish();
}

int pull(Session& s, const Args& args) {
  StateFlags sf;
  sf.lock = false;
  Flags flags("state pull", "Prints the state in the current format, as plain text.");
  sf.add_values(flags);
  if (std::optional<int> code = s.parse(flags, args)) return *code;
  s.json = true;  // standard output is the state and nothing else
  Opened o;
  if (!open_selected_state(s, sf, "state-pull", Missing::Allowed, o)) return s.finish();
  // No file is no text, also where there is only the journal of a run that finished nothing.
  const bool written = o.store->exists() && !o.state.lineage.empty();
  if (!o.store->exists()) o.state.terraform_version = kLanguageVersion;
  if (!o.in_files || written || !o.state.empty()) s.io.out(write_state(o.state, s.schemas()));
  return s.finish();
}

// Whether `next` may take the place of `now`: the same history, and later in it.
bool may_replace(Session& s, const State& now, const State& next) {
  if (now.resources.empty() && now.outputs.empty()) return true;
  if (!next.lineage.empty() && !now.lineage.empty() && next.lineage != now.lineage) {
    s.diags.error("Different state lineage",
                  fmt::format("The given state has the lineage \"{}\" and the current state \"{}\", so they "
                              "are unrelated. Use -force only if you are willing to lose the current state.",
                              shown_foreign(next.lineage), shown_foreign(now.lineage)));
    return false;
  }
  if (next.serial < now.serial) {
    s.diags.error("Current state is newer",
                  fmt::format("The serial of the given state is {}, that of the current state is {}, so "
                              "changes would be lost. Use -force only if you are willing to lose them.",
                              next.serial, now.serial));
    return false;
  }
  if (next.serial == now.serial && !same_content(now, next, s.schemas())) {
    s.diags.error("States with the same serial differ",
                  fmt::format("The given and the current state both have the serial {}, but different "
                              "content. Use -force only if you are willing to lose the current state.",
                              now.serial));
    return false;
  }
  return true;
}

// What was only in the state that was replaced, or in the journal that has ended with it.
void tell_of_lost(Session& s, const StateStore& store, const State& before, const State& now, bool forced) {
  if (!report_lost(store.path(), store.kept(), before, now, s.diags) && forced && !store.kept().empty())
    s.tell(fmt::format("A copy of the state that was replaced is in \"{}\".", store.kept()));
  if (!store.unfolded()) return;
  const std::vector<std::string> missing = only_in_journal(store.unfolded()->content, now);
  std::string text =
      "An interrupted run had left a journal that did not fit the replaced state, so it was removed.";
  if (missing.empty()) text += " All objects that it listed are in the new state.";
  if (!missing.empty()) {
    text +=
        " These objects, which it listed, are not in the new state. Import them, or delete them on the "
        "provider's side:";
    put_objects(text, missing, 20);
  }
  s.diags.warn("Journal of an interrupted run removed", text);
}

int push(Session& s, const Args& args) {
  std::vector<std::string> given;
  EditFlags f;
  bool force = false;
  Flags flags("state push PATH",
              "Replaces the current state with a state file. With \"-\", it is read from standard input.");
  flags.flag("force", force, "Replace it even if the lineage differs or the current state is newer.")
      .text("state", f.state, "State file to replace, instead of the state of the workspace.", "PATH");
  f.add_values(flags);
  f.add_lock(flags);
  flags.accepted_flag("ignore-remote-version").arguments(given, 1, 1, "the path of a state file");
  if (std::optional<int> code = s.parse_telling(flags, args)) return *code;
  State next;
  if (given[0] == "-") {
    const Result<std::string> text = s.io.read_all();
    if (!text)
      return s.diags.error("Failed to read state", "Standard input: " + text.error().message + "."),
             s.finish();
    auto read = state_of(s, *text, f);
    if (!read) return s.finish();
    if (!*read)
      return s.diags.error("Failed to read state",
                           fmt::format("The content of standard input is not a valid state: {}.",
                                       read->error().message)),
             s.finish();
    next = std::move(**read);
  } else if (!read_state_file(s, given[0], f, next)) {
    return s.finish();
  }
  Opened o;
  f.successor = &next, f.forced = force;
  if (!open_selected_state(s, f, "state-push", Missing::Allowed, o)) return s.finish();
  if (!force && !may_replace(s, o.state, next)) {
    report_tainted(o.store->folded_tainted(), s.diags);
    return finish_unchanged(s, {&o});
  }
  if (objects_missing(o.state, next).empty())  // errored.tfstate has what the journal of its run has
    std::erase_if(s.diags.mutable_all(), [](const Diagnostic& d) { return d.summary == kInterruptedRun; });
  if (next.lineage.empty()) next.lineage = o.state.lineage.empty() ? new_uuid() : o.state.lineage;
  // A plan that was saved for the state that goes is told from one for the new state by the serial.
  if (force && next.lineage == o.state.lineage && next.serial <= o.state.serial &&
      !same_content(o.state, next, s.schemas()))
    next.serial = o.state.serial + 1;
  const bool same = next.lineage == o.state.lineage && next.serial == o.state.serial &&
                    same_content(o.state, next, s.schemas());
  if (Result<void> ok = o.store->replace(next, s.schemas()); !ok)
    s.print_unsaved(run::report_unsaved(*o.store, ok.error(), s.diags));
  else if (!same)
    s.tell(fmt::format("The state was written to {} (serial {}).", o.store->path(), next.serial)),
        tell_of_lost(s, *o.store, o.state, next, force), report_not_ended(*o.store, s.diags);
  else
    report_not_ended(*o.store, s.diags);
  s.unlock(*o.store);
  return s.finish();
}

int rm(Session& s, const Args& args) {
  std::vector<std::string> given;
  EditFlags f;
  f.each_backup = true;
  bool dry = false;
  Flags flags("state rm ADDRESS...",
              "Removes objects from the state. They are not destroyed, but no longer managed.");
  flags.flag("dry-run", dry, "Only print what would be removed.");
  f.add(flags);
  flags.arguments(given, 1, SIZE_MAX, "at least one address");
  if (std::optional<int> code = s.parse_telling(flags, args)) return *code;
  std::vector<Target> targets;
  if (!parse_targets(s, given, targets)) return s.finish();
  Opened o;
  if (!open_selected_state(s, f, "state-rm", Missing::Error, o)) return s.finish();
  State next = o.state;
  Diagnostics problems;
  auto removed = remove_objects(next, targets, problems);
  if (dry && removed.empty()) {  // then it is no error that there is nothing
    for (Diagnostic& d : problems.mutable_all()) d.severity = Severity::Warning;
    problems.recount();
    s.tell("Would have removed nothing.");
  }
  s.diags.append(std::move(problems));
  if (s.diags.has_errors()) return finish_unchanged(s, {&o});
  for (const AbsInstance& a : removed)
    s.tell(fmt::format("{} {}", dry ? "Would remove" : "Removed", a.text()));
  if (dry) return finish_unchanged(s, {&o});
  if (!save_state(s, o, next)) return s.finish();
  s.tell(fmt::format("Successfully removed {} resource instance(s).", removed.size()));
  return s.finish();
}

template <class Resources>
void tell_of_replacement(Session& s, const std::string& from, const std::string& to,
                         const Resources& changed) {
  for (const render::JsonStream* out : {s.stream.get(), s.into.get()})
    if (out)
      out->message("info",
                   fmt::format("The provider of {} resource{} will change from {} to {}.", changed.size(),
                               changed.size() == 1 ? "" : "s", from, to),
                   [&](JsonWriter& w) {
                     w.member("from", from);
                     w.key("resources");
                     w.begin_array();
                     for (const AbsResource& r : changed) w.string(r.text());
                     w.end_array();
                     w.member("to", to);
                     w.member("type", "replace_provider");
                   });
  if (s.stream) return;
  std::string text =
      fmt::format("The provider of the following resources will change from {} to {}:\n\n", from, to);
  for (const AbsResource& r : changed) text += "  " + r.text() + "\n";
  s.prose(text + "\n");
}

int replace(Session& s, const Args& args) {
  std::vector<std::string> given;
  EditFlags f;
  f.each_backup = true;
  bool approve = false;
  Flags flags(
      "state replace-provider FROM TO",
      "Assigns the objects of one provider to another one, which must be able to read their attributes.");
  flags.flag("auto-approve", approve, "Do not ask for confirmation.");
  f.add(flags);
  flags.arguments(given, 2, 2, "two provider addresses");
  if (std::optional<int> code = s.parse_telling(flags, args)) return *code;
  std::optional<ProviderAddr> ends[2];
  for (int i = 0; i < 2; ++i) {
    ends[i] = parse_provider_addr(given[static_cast<size_t>(i)]);
    if (!ends[i])
      s.diags.error("Invalid provider address",
                    fmt::format("\"{}\" is not a valid provider address. Write hashicorp/aws or "
                                "example.com/org/name, for example.",
                                given[static_cast<size_t>(i)]));
  }
  if (s.diags.has_errors()) return s.finish();
  Opened o;
  if (!open_selected_state(s, f, "state-replace-provider", Missing::Error, o)) return s.finish();
  State next = o.state;
  auto changed = replace_provider(next, *ends[0], *ends[1]);
  if (changed.empty()) {
    s.tell("No matching resources found.");
    return finish_unchanged(s, {&o});
  }
  tell_of_replacement(s, ends[0]->text(), ends[1]->text(), changed);
  if (!approve) {
    if (!s.approved("Do you want to make these changes?", "Nothing was changed.",
                    "To make them without being asked, use -auto-approve.")) {
      if (!s.diags.has_errors()) s.tell("Cancelled. Nothing was changed.");
      return finish_unchanged(s, {&o}, 1);
    }
  }
  if (!save_state(s, o, next)) return s.finish();
  s.tell(fmt::format("Successfully replaced provider for {} resource{}.", changed.size(),
                     changed.size() == 1 ? "" : "s"));
  return s.finish();
}

constexpr SubCommand kCommands[] = {
    {"journal", Does::Work, run_state_journal, "Show or discard the journal of an interrupted run"},
    {"list", Does::Print, list, "List the resource instances"},
    {"ls", Does::Print, list, "The same as list"},
    {"move", Does::Work, run_state_mv, "The same as mv"},
    {"mv", Does::Work, run_state_mv, "Move objects to other addresses"},
    {"pull", Does::Print, pull, "Print the state"},
    {"push", Does::Work, push, "Replace the state with a file"},
    {"remove", Does::Work, rm, "The same as rm"},
    {"replace-provider", Does::Work, replace, "Assign objects to another provider"},
    {"rm", Does::Work, rm, "Remove objects from the state"},
    {"show", Does::Print, show, "Show one resource instance"},
};

}  // namespace

int run_state(Session& s, const Args& args) {
  return run_group(s, "state", "Shows and edits the state.", kCommands, args);
}

}  // namespace xplan::cmd
