// Recording the backend that the configuration asks for: init migrates, reconfigures or refuses where it is
// another one than before.
#include "cmd/xplan/backend.h"

#include <fmt/format.h>
#include <utility>

#include "cmd/xplan/migration.h"
#include "cmd/xplan/workspace_choice.h"
#include "core/backend/configured.h"
#include "core/backend/secrets.h"
#include "core/base/command_line.h"

namespace xplan::cmd {
namespace {

// For what the backend cannot do without, and nothing has set. Where nobody answers, opening the backend says
// what is missing.
bool ask_for_missing(Session& s, const BackendInit& how, backend::Settings& wanted) {
  const bool somebody = s.io.in_is_terminal || how.input_demanded;
  if (!somebody || !s.unasked_by(how.input).empty()) return true;
  for (const schema::Attribute& a : backend::find_kind(wanted.kind)->schema().attributes) {
    if (a.description.empty() || !wanted.values.find_attr(a.name.sv())->is_null()) continue;
    s.io.out(fmt::format("{}\n  {}\n\n  Enter a value: ", a.name.sv(), a.description));
    std::string line;
    const Typed typed = s.io.read_line(line);
    s.io.out("\n");
    if (typed == Typed::End) return true;
    if (typed == Typed::Interrupted)
      return s.diags.error(
                 "Input interrupted",
                 fmt::format("Entering the value of \"{}\" was interrupted. The backend is not set up, and "
                             "nothing was changed.",
                             a.name.sv())),
             false;
    if (!line.empty()) backend::set(wanted, a.name.sv(), Value::string(line));
  }
  return true;
}

// Providers come later, so nothing can be told about objects yet.
backend::Opening of_init(Session& s, const crypt::Encryption& encryption) {
  backend::Opening out = s.opening(encryption);
  out.json_of = {};
  return out;
}

// Warnings of the block were told when that of the selected workspace was made.
KeyedBackend keyed(Session& s, const config::Config& c, const BackendInit& how,
                   const crypt::Encryption& encryption, const backend::Backend& selected) {
  KeyedBackend::Open open;
  if (encryption.of_workspace())
    open = [&s, &c, &how, &selected](const std::string& workspace) {
      Diagnostics told;
      const auto e = s.encryption_of(&c, how.state.variables, workspace, told);
      if (!e) s.diags.append(std::move(told));
      return e ? selected.with(e->state()) : nullptr;
    };
  return {selected, s.workspace(), std::move(open)};
}

// `why`: as changed_variables().
bool report_changed(Session& s, bool to_block, const std::string& why) {
  s.diags.error(
      "Backend configuration changed",
      fmt::format("The backend {} since this working directory was initialized. {}To "
                  "move the states to {}, use -migrate-state. To continue without them, "
                  "use -reconfigure.",
                  to_block ? "configuration has changed" : "block was removed",
                  why.empty() ? "" : why + "\n\n", to_block ? "the new location" : "the default location"));
  return false;
}

std::string why_changed(const backend::BlockSettings* block, const backend::Record* record) {
  return block && record ? backend::changed_variables(block->variables, record->variables) : "";
}

// From what was set up before, `record`, or from the default location. `left`: what to say of states that
// stay.
bool migrate(Session& s, const config::Config& c, const BackendInit& how, const crypt::Encryption& encryption,
             const backend::Record* record, const backend::BlockSettings* block, KeyedBackend& target,
             std::string& left) {
  if (record && !backend::find_kind(record->settings.kind))
    return s.diags.error(
               "Backend not supported yet",
               fmt::format("The states are stored in the backend \"{}\", from which they cannot be read "
                           "yet. To leave them there and continue without them, use -reconfigure.",
                           record->settings.kind)),
           false;
  if (record && !how.migrate && !how.force_copy) return report_changed(s, block, why_changed(block, record));
  const backend::Settings settings = record ? record->settings : backend::no_settings();
  const auto source = backend::open(settings, of_init(s, encryption), s.diags);
  if (!source) return false;
  KeyedBackend from = keyed(s, c, how, encryption, *source);
  Migration m(s, how, from, target);
  if (!m.find()) return false;
  const Decision what = m.decide(record != nullptr);
  if (what == Decision::Leave) left = m.left();
  return what == Decision::Leave || (what == Decision::Move && m.run() && (record || m.leave_source()));
}

// Whoever can read what is recorded can use them.
void warn_of_secrets(Session& s, const backend::Settings& recorded) {
  const std::string secrets = backend::secrets_text(recorded);
  if (secrets.empty()) return;
  s.diags.warn(
      "Secrets in the backend configuration",
      Error{fmt::format("{}, and what the block or -backend-config sets is recorded as plain text in "
                        "\"{}/terraform.tfstate\", and in every plan file. What environment variables "
                        "set is not recorded: {} lists them",
                        secrets, s.data_dir, own_command("help"))}
          .sentence());
}

}  // namespace

bool uses_cloud(const config::Config& c) {
  const std::optional<config::Backend>& block = c.root->module->backend;
  return block && block->cloud;
}

bool init_backend(Session& s, const config::Config& c, const BackendInit& given,
                  std::unique_ptr<backend::Backend>& out) {
  BackendInit how = given;
  for (const auto& [set, flag] :
       {std::pair(given.reconfigure, " -reconfigure"), std::pair(given.migrate, " -migrate-state"),
        std::pair(given.force_copy, " -force-copy")})
    if (set) how.command += flag;
  if (!given.given.empty()) how.command += " -backend-config=…";
  const bool cloud = uses_cloud(c);
  if (cloud && !how.given.empty())
    return s.diags.error(
               "Invalid command line option",
               "-backend-config is for backends and cannot be used with a cloud block. Change the block, or "
               "set TF_CLOUD_ORGANIZATION, TF_CLOUD_HOSTNAME or TF_CLOUD_PROJECT."),
           false;
  std::optional<backend::Record> record;
  const std::optional<backend::BlockSettings> block = backend::block_settings(c, s.diags);
  if (s.diags.has_errors() || !backend::read_record(s.data_dir, record, s.diags)) return false;
  if (!block && !how.given.empty())
    s.diags.warn("Missing backend configuration",
                 "-backend-config is set, but the configuration has no backend block to apply it to. To "
                 "change the default backend, write backend \"local\" {} in the terraform block.");
  if (!block && !record) return true;
  backend::Settings wanted = block ? block->settings : backend::no_settings();
  if (block) backend::add_given(how.given, s.sources, &s.stop, wanted, s.diags);
  if (s.diags.has_errors()) return false;
  const uint32_t hash = block ? block->settings.hash() : 0;
  if (block && record && how.given.empty() && hash == record->block_hash) wanted = record->settings;
  // Nobody is asked for arguments of a backend that cannot be set up like this.
  const bool answered = how.reconfigure || how.migrate || how.force_copy || cloud;
  if (block && record && !answered && record->settings.kind != wanted.kind &&
      backend::find_kind(record->settings.kind))
    return report_changed(s, true, why_changed(&*block, &*record));
  if (block && !ask_for_missing(s, how, wanted)) return false;
  // With -reconfigure, what was set up before does not count: there is only the default location to leave.
  const bool recorded = record && !(how.reconfigure && block);
  const bool same = block && recorded && record->settings == wanted;
  const crypt::Encryption* encryption = s.encryption(&c, how.state.variables);
  if (!encryption) return false;
  out = backend::open(wanted, of_init(s, *encryption), s.diags, &c);
  if (!out) return false;
  KeyedBackend target = keyed(s, c, how, *encryption, *out);
  std::string left;
  // A changed cloud block is taken as it is; where there was none, states are moved, after a question.
  const bool was_cloud = recorded && record->settings.kind == backend::kCloud.name;
  const bool as_it_is = cloud && was_cloud && !how.migrate && !how.force_copy;
  how.migrate |= cloud && !was_cloud;
  if (!same && !as_it_is && (!how.reconfigure || block) &&
      !migrate(s, c, how, *encryption, recorded ? &*record : nullptr, block ? &*block : nullptr, target,
               left))
    return false;
  std::optional<backend::Record> now;
  if (block) now = backend::Record{wanted, hash, block->variables}, warn_of_secrets(s, wanted);
  if (Result<void> ok = backend::write_record(s.data_dir, now); !ok)
    return s.diags.error("Failed to record the backend", ok.error().sentence()), false;
  if (cloud && !left.empty() && !s.stream) s.prose(left);
  if (!cloud && (!same || how.reconfigure)) {
    const std::string text =
        fmt::format("Successfully {} the backend \"{}\"!", block ? "configured" : "unset",
                    block ? wanted.kind : record->settings.kind);
    // The answer to a question has left an empty line.
    s.stream ? s.stream->log(text) : s.prose((left.empty() ? "\n" : "") + text + "\n" + left);
  }
  if (!choose_workspace(s, *out, how.input && s.input_allowed(), cloud)) return false;
  const backend::Backend* selected = target.of(s.workspace());
  if (!selected) return false;
  if (Result<void> ok = selected->begin(s.workspace()); !ok)
    return s.diags.error("Failed to set up the workspace", ok.error().sentence()), false;
  return true;
}

}  // namespace xplan::cmd
