// Loads libcurl once.
#include "core/net/curl_api.h"

namespace xplan::net {

const Curl& curl() {
  static const Curl loaded;
  return loaded;
}

}  // namespace xplan::net
