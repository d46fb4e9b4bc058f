// Keeping a token, and fetching another one before it ends.
#include "core/cloud/google_token.h"

#include <algorithm>

#include "core/cloud/google_sources.h"
#include "core/cloud/time.h"

namespace xplan::cloud {
namespace {

constexpr int64_t kGoogleTokenAhead =
    225;  // seconds before the end; metadata services give new ones 300 before it
constexpr int64_t kGoogleTokenPause = 30;  // between two attempts, however short tokens live

}  // namespace

Result<GoogleAccess> GoogleToken::access(std::string_view refused) {
  std::lock_guard lock(mutex_);
  const bool fresh = access_ && access_->token.bytes() == refused;
  const int64_t now = unix_now();
  if (access_ && !fresh && (renew_at_ == 0 || now < renew_at_)) return access_->copy();
  Result<GoogleAccess> found = find_google_access({settings_, client_, access_ ? nullptr : stop_});
  if (!found && access_ && !fresh && now < access_->expires) {
    renew_at_ = std::min(now + kGoogleTokenPause, access_->expires);
    return access_->copy();
  }
  if (!found) return found;
  access_ = std::move(*found);
  renew_at_ = access_->expires == 0 ? 0
                                    : std::max(access_->expires - kGoogleTokenAhead,
                                               std::min(access_->expires, now + kGoogleTokenPause));
  return access_->copy();
}

}  // namespace xplan::cloud
