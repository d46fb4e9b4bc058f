// Finding a profile in the file, and what it means.
#include "core/backend/oss/profile.h"

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "core/base/document.h"
#include "core/base/fs.h"

namespace xplan::backend::oss {
namespace {

Profile profile_of(const Json& p) {
  Profile out;
  out.region = string_in(p, "region_id");
  const std::string mode = string_in(p, "mode");
  const bool machine = mode == "EcsRamRole" || mode == "RamRoleArnWithEcs";
  if (machine) out.machine_role = string_in(p, "ram_role_name");
  if (!machine) out.keys = {string_in(p, "access_key_id"), string_in(p, "access_key_secret")};
  if (mode == "StsToken") out.keys.token = string_in(p, "sts_token");
  if (mode != "RamRoleArn" && mode != "RamRoleArnWithEcs") return out;
  out.role.arn = string_in(p, "ram_role_arn");
  out.role.session_name = string_in(p, "ram_session_name");
  const Json* seconds = member(p, "expired_seconds");
  if (seconds && seconds->is_number_integer() && *seconds > 0) out.role.seconds = seconds->get<int64_t>();
  return out;
}

}  // namespace

Result<Profile> read_profile(std::string file, const std::string& name) {
  const char* home = std::getenv("HOME");
  if (file.starts_with("~/")) file = (home ? home : "") + file.substr(1);
  const Result<std::string> text = real_fs().read(file);
  if (!text) return Error{"names credentials that are not available: " + text.error().message};
  const Result<Json> doc = parse_document(*text);
  if (!doc) return Error{"names credentials in \"" + file + "\", which " + doc.error().message};
  if (const Json* all = list_in(*doc, "profiles"))
    for (const Json& p : *all)
      if (string_in(p, "name") == name) return profile_of(p);
  return Error{"names a profile that the file \"" + file + "\" does not contain"};
}

}  // namespace xplan::backend::oss
