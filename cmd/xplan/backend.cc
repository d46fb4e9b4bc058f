// Which backend is in use: the settings of the backend block and of -backend-config, compared with those
// that init recorded; and what init does when they differ (migrate, reconfigure or refuse).
#include "cmd/xplan/backend.h"

#include <fmt/format.h>

#include "cmd/xplan/migration.h"
#include "core/base/fs.h"

namespace xplan::cmd {
namespace {

constexpr std::string_view kNeedsInit = "Backend initialization required";

bool set(Session& s, Backend& b, std::string_view name, const Value& v, Range where) {
  std::optional<std::string>* setting = name == "path"            ? &b.path
                                        : name == "workspace_dir" ? &b.workspace_dir
                                                                  : nullptr;
  if (!setting)
    return s.diags.error("Unsupported argument",
                         fmt::format("The backend \"local\" has no setting \"{}\"; it has \"path\" and "
                                     "\"workspace_dir\".",
                                     name),
                         where),
           false;
  if (!v.is_null() && !v.is_string())
    return s.diags.error("Incorrect attribute value type",
                         fmt::format("The backend setting \"{}\" must be a string.", name), where),
           false;
  *setting = v.is_null() ? std::nullopt : std::optional(v.as_string());
  return true;
}

bool set_all(Session& s, Backend& b, const syntax::File& file,
             const std::vector<syntax::Attribute>& attributes) {
  bool good = true;
  if (!attributes.empty()) syntax::take_late(file, s.diags);
  for (const syntax::Attribute& a : attributes) {
    const size_t errors = s.diags.error_count();
    Value v = eval::evaluate_constant(*a.expr, s.diags);
    good &= s.diags.error_count() == errors && set(s, b, a.name.sv(), v, a.range);
  }
  return good;
}

// What the block says, without -backend-config. Nothing: there is no block, or a problem, which is reported.
std::optional<Backend> block_settings(Session& s, const config::Config& c) {
  const std::optional<config::Backend>& block = c.root->module->backend;
  if (!block) return std::nullopt;
  if (block->type.sv() == "cloud") {
    s.diags.error("Remote operations are not supported",
                  "A cloud block delegates state and runs to a hosted service, which this program does not "
                  "support. Remove the block, and use a backend block for a remote state.",
                  block->range);
    return std::nullopt;
  }
  if (block->type.sv() != "local") {
    s.diags.error("Backend not supported yet",
                  fmt::format("Only the \"local\" backend is supported; \"{}\" is not supported yet.",
                              block->type.sv()),
                  block->range);
    return std::nullopt;
  }
  Backend b;
  if (!set_all(s, b, *block->body.body->file, syntax::just_attributes(block->body, s.diags)) ||
      s.diags.has_errors())
    return std::nullopt;
  return b;
}

bool add_given(Session& s, const std::vector<std::string>& given, Backend& b) {
  bool good = true;
  for (const std::string& g : given) {
    if (g.empty()) continue;
    if (size_t eq = g.find('='); eq != std::string::npos) {
      std::string name = g.substr(0, eq);
      name.erase(name.find_last_not_of(' ') + 1);
      good &= set(s, b, name, Value::string(g.substr(eq + 1)), {});
      continue;
    }
    auto text = read_given(g, &s.stop);
    if (!text) {
      s.diags.error("Failed to read file", text.error().sentence());
      good = false;
      continue;
    }
    auto file = syntax::parse_file(s.sources, g, std::move(*text), s.diags);
    good &= set_all(s, b, *file, syntax::just_attributes(file->body, s.diags)) && !s.diags.has_errors();
  }
  return good;
}

bool needs_init(Session& s, std::string_view reason) {
  s.diags.error(kNeedsInit, fmt::format("{} The backend determines which state is used, so it can only be "
                                        "changed by running init. Run:\n  {} init",
                                        reason, s.program));
  return false;
}

bool read_record(Session& s, std::optional<BackendRecord>& out) {
  auto r = read_backend_record(s.data_dir);
  if (!r)
    return s.diags.error("Failed to read the backend record",
                         r.error().sentence() + " Delete it and run init again."),
           false;
  out = std::move(*r);
  return true;
}

}  // namespace

bool selected_backend(Session& s, const config::Config* c, Backend& out) {
  out = {};
  if (!c) return true;
  std::optional<BackendRecord> record;
  const size_t errors = s.diags.error_count();
  const std::optional<Backend> block = block_settings(s, *c);
  if (s.diags.error_count() != errors || !read_record(s, record)) return false;
  if (record && record->type != "local")
    return needs_init(
        s, fmt::format("This working directory was initialized for the backend \"{}\".", record->type));
  if (record) out = record->settings;
  if (!block && c->root->module->syntax_errors) return true;  // nobody can tell what the block would say
  if (block && !record)
    return needs_init(s, "The configuration uses the backend \"local\", which is not initialized yet.");
  if (!block && record)
    return needs_init(s,
                      "The configuration no longer has the backend block that this working directory was "
                      "initialized with.");
  if (block && block->hash() != record->block_hash && *block != record->settings)
    return needs_init(s, "The backend block of the configuration has changed.");
  return true;
}

bool init_backend(Session& s, const config::Config& c, const BackendInit& how) {
  std::optional<BackendRecord> record;
  const std::optional<Backend> block = block_settings(s, c);
  if (s.diags.has_errors() || !read_record(s, record)) return false;
  if (!block && !how.given.empty())
    s.diags.warn("Missing backend configuration",
                 "-backend-config is set, but the configuration has no backend block to apply it to. To "
                 "change the default backend, write backend \"local\" {} in the terraform block.");
  if (!block && !record) return true;
  Backend wanted = block.value_or(Backend());
  if (block && !add_given(s, how.given, wanted)) return false;
  if (block && record && how.given.empty() && block->hash() == record->block_hash) wanted = record->settings;
  const bool same = block && record && record->type == "local" && record->settings == wanted;
  if (!same && !how.reconfigure) {
    if (record && record->type != "local")
      return s.diags.error(
                 "Backend not supported yet",
                 fmt::format("The states are stored in the backend \"{}\", from which they cannot be read "
                             "yet. To leave them there and continue without them, use -reconfigure.",
                             record->type)),
             false;
    if (record && !how.migrate && !how.force_copy)
      return s.diags.error("Backend configuration changed",
                           "The backend block has changed since this working directory was initialized. To "
                           "move the states to the new location, use -migrate-state. To continue without "
                           "them, use -reconfigure."),
             false;
    const Backend before = record ? record->settings : Backend();
    Migration m(s, how, before, wanted);
    if (!m.find()) return false;
    const bool agreed =
        record || m.done() ||
        m.confirmed(
            "A state already exists in the default location. Move it to the backend configured here?");
    if (s.diags.has_errors() || (agreed && !m.run())) return false;
    if (agreed && !record && !m.leave_source()) return false;
  }
  std::optional<BackendRecord> now;
  if (block) now = BackendRecord{"local", wanted, block->hash()};
  if (Result<void> ok = write_backend_record(s.data_dir, now); !ok)
    return s.diags.error("Failed to record the backend", ok.error().sentence()), false;
  if (!same || how.reconfigure) {
    const std::string text = fmt::format("Successfully {} the backend \"{}\"!",
                                         block ? "configured" : "unset", block ? now->type : record->type);
    s.stream ? s.stream->log(text) : s.io.out("\n" + text + "\n");
  }
  return true;
}

}  // namespace xplan::cmd
