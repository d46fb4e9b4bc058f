// Shows the digest of a plan's effects, and compares them with what -expect names.
#include "cmd/xplan/effects.h"

#include <fmt/format.h>

#include "core/base/command_line.h"
#include "core/base/text.h"
#include "core/install/lock_file.h"
#include "core/review/compare.h"
#include "render/comparison.h"

namespace xplan::cmd {
namespace {

constexpr size_t kMostDifferences = 20;

Versions versions_of(const install::LockFile& lock) {
  Versions out;
  for (const auto& [name, e] : lock.entries)
    out[name] = {e.version.text(), {e.hashes.begin(), e.hashes.end()}};
  return out;
}

// Functions read files again when a plan is applied, and what it was approved with is what it was made with.
bool files_are_as_read(Session& s, const Plan& plan) {
  std::string names;
  size_t changed = 0;
  for (const eval::FileRead& f : plan.file_reads) {
    if (eval::digest_now(f, ".") == f.digest || ++changed > kMostDifferences) continue;
    names += "\n  - " + in_quotes(f.kind == eval::FileRead::Kind::Names ? f.pattern : f.path);
  }
  if (changed > kMostDifferences) names += fmt::format("\n  … and {} more", changed - kMostDifferences);
  if (changed)
    s.diags.error(
        "Plan differs from the approved plan",
        fmt::format("Files that functions of the configuration read are no longer as they were when "
                    "the plan was made:{}\n\nNothing was changed. Create a new plan, and review it.",
                    names));
  return !changed;
}

}  // namespace

std::optional<Versions> locked_versions(Session& s) {
  const auto lock = install::read_lock_file(s.sources, std::string(install::kLockFileName), s.diags);
  return lock ? std::optional(versions_of(*lock)) : std::nullopt;
}

std::optional<Versions> locked_versions(Session& s, const std::string& text) {
  const auto lock = install::parse_lock_file(s.sources, "the plan's dependency lock file", text, s.diags);
  return lock ? std::optional(versions_of(*lock)) : std::nullopt;
}

std::optional<std::string> effect_digest(Session& s, const review::EffectSources& from) {
  Result<std::string> d = review::effect_digest(from);
  if (d) return std::move(*d);
  s.diags.error("Failed to compute the effect digest", d.error().sentence());
  return std::nullopt;
}

void show_digest(Session& s, const std::string& digest) {
  const std::string begin = digest.substr(0, review::kShortDigest);
  if (s.into) s.into->log(fmt::format("Effect digest: {}", digest));
  if (s.stream) return s.stream->log(fmt::format("Effect digest: {}", digest));
  s.io.out(fmt::format("\nEffect digest: {}\n               {}\n", begin, digest));
}

std::unique_ptr<OpenedEffects> open_effects(Session& s, const std::string& path,
                                            const std::vector<config::VariableOption>& variables) {
  std::optional<planfile::Opened> opened = open_plan_file(s, path, variables);
  return opened ? effects_of(s, path, std::move(*opened)) : nullptr;
}

std::unique_ptr<OpenedEffects> effects_of(Session& s, const std::string& path, planfile::Opened opened) {
  auto out = std::make_unique<OpenedEffects>(OpenedEffects{std::move(opened), nullptr, {}});
  if (out->opened.plan.review) {
    s.diags.error(
        "Plan is for review only",
        fmt::format("The file \"{}\" is the review half of a plan. Without the secrets of the plan, "
                    "its effects cannot be compared, but {} prints their digest.",
                    path, own_command("show -digest " + shell_word(path))));
    return nullptr;
  }
  if (out->opened.plan.errored) {
    s.diags.error("Plan is not complete",
                  fmt::format("Planning ended with errors when \"{}\" was made, so what it would do is not "
                              "known. Correct the errors and create a new plan.",
                              path));
    return nullptr;
  }
  Diagnostics found;  // its warnings were told when planning
  out->config = planfile::load_config(out->opened, s.context(), planfile::SchemasOf::Plan, found);
  std::optional<Versions> versions = locked_versions(s, out->opened.lock_file);
  if (found.has_errors()) s.diags.append(std::move(found));
  if (s.diags.has_errors() || !versions) return nullptr;
  out->versions = std::move(*versions);
  return out;
}

void Expectation::add(Flags& f) {
  f.text("expect", text_,
         "Apply only what has exactly these effects: an effect digest of at least 32 digits, or the saved "
         "plan that was approved. Otherwise, change nothing and exit with code 4. Implies -auto-approve.",
         "DIGEST|FILE");
}

bool Expectation::prepare(Session& s, const std::vector<config::VariableOption>& variables) {
  if (!given() || review::is_digest(text_)) return true;
  if (!real_fs().exists(text_)) {
    s.diags.error("Invalid option value",
                  fmt::format("There is no file \"{}\". The option -expect takes a saved plan, or an effect "
                              "digest (32 to 64 hexadecimal digits, which {} prints).",
                              text_, own_command("show -digest")));
    return false;
  }
  approved_ = open_effects(s, text_, variables);
  return approved_ != nullptr;
}

bool Expectation::met(Session& s, const review::EffectSources& plan) const {
  if (!given()) return true;
  if (!files_are_as_read(s, plan.plan)) return false;
  if (approved_) {
    const review::PlanComparison found = review::compare(approved_->sources(s), plan, {});
    if (found.differences.empty()) return true;
    if (!s.stream) {
      s.io.out("\n");
      render::render_comparison(found, {"approved plan", "current plan"}, s.human,
                                [&](std::string_view text) { s.io.out(text); });
    }
    std::string names;
    for (size_t i = 0; i < found.differences.size() && i < kMostDifferences; ++i)
      names += "\n  - " + render::difference_subject(found.differences[i]);
    if (found.differences.size() > kMostDifferences)
      names += fmt::format("\n  … and {} more", found.differences.size() - kMostDifferences);
    s.diags.error(
        "Plan differs from the approved plan",
        fmt::format(
            "The effects of the current plan differ from those of the approved plan \"{}\":{}\n\nNothing was "
            "changed. Review the current plan, and approve it if it is right.",
            text_, names));
    return false;
  }
  const std::optional<std::string> digest = effect_digest(s, plan);
  if (!digest) return false;
  if (review::stands_for(text_, *digest)) return true;
  s.diags.error("Plan differs from the approved plan",
                fmt::format("The option -expect names a plan with the effect digest {}, but the current plan "
                            "has the digest {}. Nothing was changed. Review the current plan with {}. To "
                            "list every difference, use -expect=FILE with the file of the approved plan.",
                            text_, digest->substr(0, std::max(text_.size(), review::kShortDigest)),
                            own_command("plan")));
  return false;
}

}  // namespace xplan::cmd
