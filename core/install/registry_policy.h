// What is asked of a registry's word: whether it must be signed, by keys that have not expired, and which
// checksums it may state without a signature.
//
// Who calls it: registry.cc.
// Contract: Terraform's rules (a signature by a key of any age) but for additions of OpenTofu's, which are
// not there in the dialect terraform: its registry may have no keys for a provider, unless
// OPENTOFU_ENFORCE_GPG_VALIDATION is "true", and OPENTOFU_ENFORCE_GPG_EXPIRATION=true refuses expired keys.
// Cost: none.  Thread-safety: pure, apart from the environment.
#pragma once
#include <set>
#include <string>

#include "core/addr/addr.h"
#include "core/base/document.h"
#include "core/base/result.h"
#include "core/install/mirror_layout.h"

namespace xplan::install {

// Of a registry that may state more than what is signed.
bool counts_unsigned(const ProviderAddr& p);
bool refuses_expired_keys();
bool is_sha256(std::string_view hex);

// The checksums of all platforms in the answer about the package of one; `sum` is that of its archive.
Result<std::set<std::string>> hashes_of_platforms(const Json& answer, const Platform& platform,
                                                  const std::string& sum);

}  // namespace xplan::install
