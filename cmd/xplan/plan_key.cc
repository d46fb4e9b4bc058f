// -plan-key-file and XPLAN_PLAN_PASSPHRASE: reads the passphrase and makes the codec of plan files.
#include "cmd/xplan/plan_key.h"

#include <fmt/format.h>

#include <cstdlib>
#include <fstream>

#include "core/base/fs.h"
#include "core/crypt/target.h"

namespace xplan::cmd {
namespace {

constexpr const char* kVariable = "XPLAN_PLAN_PASSPHRASE";

struct Given {
  std::string source;  // as the user gave it; empty: nothing is given
  Secret passphrase;
};

Result<Given> given(Session& s) {
  if (s.plan_key_file.empty()) {
    const char* v = std::getenv(kVariable);
    if (!v || !*v) return Given{};
    return Given{kVariable, Secret(v)};
  }
  Result<std::string> text = read_given(s.plan_key_file, &s.stop);
  if (!text) return text.error();
  while (text->ends_with('\n') || text->ends_with('\r')) text->pop_back();  // editors write one
  return Given{"-plan-key-file", Secret(std::move(*text))};
}

}  // namespace

bool is_plain_plan(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  char head[2] = {};
  return file.read(head, sizeof head) && head[0] == 'P' && head[1] == 'K';  // a ZIP archive
}

void add_plan_key(Flags& flags, Session& s) {
  flags.text("plan-key-file", s.plan_key_file,
             "Encrypt plan files with the passphrase in FILE (16 bytes or more), or decrypt them with it.",
             "FILE");
}

bool plan_key(Session& s, std::shared_ptr<crypt::Codec>& out) {
  Result<Given> key = given(s);
  if (!key) {
    s.diags.error("Invalid option value",
                  fmt::format("The file \"{}\" given with -plan-key-file cannot be read: {}.",
                              s.plan_key_file, key.error().message));
    return false;
  }
  if (key->source.empty()) return true;
  crypt::Environment environment;
  environment.stop = &s.stop;
  out = crypt::codec_of_passphrase(crypt::Payload::Plan, key->source, key->passphrase, environment, s.diags);
  return out != nullptr;
}

std::optional<Result<planfile::Opened>> read_plan_file(Session& s, const std::string& path,
                                                       const crypt::Encryption& encryption) {
  std::shared_ptr<crypt::Codec> codec;
  if (!plan_key(s, codec)) return std::nullopt;
  if (!codec) return planfile::read(path, s.schema_lookup(), *encryption.plan());
  if (!is_plain_plan(path)) return planfile::read(path, s.schema_lookup(), *codec);
  Result<planfile::Opened> opened = planfile::read(path, s.schema_lookup());
  if (!opened || opened->plan.review) return opened;
  if (s.plain_plans) {
    s.diags.warn("Plan file is not encrypted",
                 fmt::format("The plan file \"{}\" is not encrypted, so the passphrase does not show that "
                             "nobody has changed it.",
                             path));
    return opened;
  }
  s.diags.error(
      "Plan file is not encrypted",
      fmt::format("The plan file \"{}\" is not encrypted, so it may not be the one that was written with "
                  "this passphrase. To read it anyway, omit -plan-key-file and unset {}.",
                  path, kVariable));
  return std::nullopt;
}

}  // namespace xplan::cmd
