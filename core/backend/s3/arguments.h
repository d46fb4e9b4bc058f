// The arguments of the backend "s3" as tables: of the block, and of the objects in it.
//
// Used by: settings.cc. Cost: none.  Thread-safety: constants.
#pragma once
#include <span>

#include "core/backend/arguments.h"

namespace xplan::backend::s3 {

inline constexpr std::string_view kAdditions[] = {"state_tags",         "lock_tags",
                                                  "role_arn",           "session_name",
                                                  "external_id",        "assume_role_duration_seconds",
                                                  "assume_role_policy", "assume_role_policy_arns",
                                                  "assume_role_tags",   "assume_role_transitive_tag_keys"};

std::span<const Argument> main_arguments();
std::span<const Argument> endpoint_arguments();
std::span<const Argument> role_arguments();
std::span<const Argument> web_identity_arguments();

}  // namespace xplan::backend::s3
