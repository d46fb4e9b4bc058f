// Keeping a token, and fetching another one before it ends.
#include "core/cloud/google_token.h"

#include "core/cloud/google_sources.h"

namespace xplan::cloud {

Result<GoogleAccess> GoogleToken::access(std::string_view refused) {
  return kept_.get(
      [this](bool first) {
        return find_google_access({settings_, client_, first ? stop_ : nullptr});
      },
      [refused](const GoogleAccess& access) { return access.token.bytes() == refused; });
}

}  // namespace xplan::cloud
