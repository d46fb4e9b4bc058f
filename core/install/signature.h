// Signatures: who signed a list of checksums.
//
// Who calls it: registry.cc.
// Contract: the result is a key that is among the given ones and made the detached signature over exactly
// these bytes; anything else is an error. Keys and signature are hostile input for the library behind this.
// Cost: the library is loaded on first use.  Thread-safety: pure function.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace xplan::install {

struct SigningKey {
  std::string id, fingerprint;  // upper-case hexadecimal
  bool expired = false;         // by now, or its primary key
};
Result<SigningKey> verify_signature(std::string_view data, std::string_view signature,
                                    const std::vector<std::string>& armored_keys);

}  // namespace xplan::install
