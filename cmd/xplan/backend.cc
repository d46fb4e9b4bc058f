// Recording the backend that the configuration asks for: init migrates, reconfigures or refuses where it is
// another one than before.
#include "cmd/xplan/backend.h"

#include <fmt/format.h>

#include "cmd/xplan/migration.h"
#include "core/backend/configured.h"
#include "core/run/encryption.h"

namespace xplan::cmd {

bool init_backend(Session& s, const config::Config& c, const BackendInit& how) {
  std::optional<backend::Record> record;
  const std::optional<backend::Settings> block = backend::block_settings(c, s.diags);
  if (s.diags.has_errors() || !backend::read_record(s.data_dir, record, s.diags)) return false;
  if (!block && !how.given.empty())
    s.diags.warn("Missing backend configuration",
                 "-backend-config is set, but the configuration has no backend block to apply it to. To "
                 "change the default backend, write backend \"local\" {} in the terraform block.");
  if (!block && !record) return true;
  backend::Settings wanted = block.value_or(backend::no_settings());
  if (block) backend::add_given(how.given, s.sources, &s.stop, wanted, s.diags);
  if (s.diags.has_errors()) return false;
  if (block && record && how.given.empty() && block->hash() == record->block_hash) wanted = record->settings;
  const bool same = block && record && record->settings == wanted;
  const std::unique_ptr<backend::Backend> target =
      backend::open(wanted, s.opening(), s.diags, backend::block_range(c));
  if (!target) return false;
  std::string left;
  if (!same && !run::states_are_plain(s.context(), s.diags)) return false;
  if (!same && !how.reconfigure) {
    if (record && !backend::find_kind(record->settings.kind))
      return s.diags.error(
                 "Backend not supported yet",
                 fmt::format("The states are stored in the backend \"{}\", from which they cannot be read "
                             "yet. To leave them there and continue without them, use -reconfigure.",
                             record->settings.kind)),
             false;
    if (record && !how.migrate && !how.force_copy)
      return s.diags.error(
                 "Backend configuration changed",
                 fmt::format("The backend block {} since this working directory was initialized. To "
                             "move the states to {}, use -migrate-state. To continue without them, "
                             "use -reconfigure.",
                             block ? "has changed" : "was removed",
                             block ? "the new location" : "the default location")),
             false;
    const auto source =
        backend::open(record ? record->settings : backend::no_settings(), s.opening(), s.diags);
    if (!source) return false;
    Migration m(s, how, *source, *target);
    if (!m.find()) return false;
    const Decision what = m.decide(record.has_value());
    if (what == Decision::Failed) return false;
    if (what == Decision::Leave)
      left = m.left();
    else if (!m.run() || (!record && !m.leave_source()))
      return false;
  }
  std::optional<backend::Record> now;
  if (block) now = backend::Record{wanted, block->hash()};
  if (Result<void> ok = backend::write_record(s.data_dir, now); !ok)
    return s.diags.error("Failed to record the backend", ok.error().sentence()), false;
  if (!same || how.reconfigure) {
    const std::string text =
        fmt::format("Successfully {} the backend \"{}\"!", block ? "configured" : "unset",
                    block ? wanted.kind : record->settings.kind);
    s.stream ? s.stream->log(text) : s.prose("\n" + text + "\n" + left);
  }
  return true;
}

}  // namespace xplan::cmd
