// Loads libcurl, once and only when a request is made or a URL is read: most commands never need it.
#include "core/net/curl_api.h"

namespace xplan::net {

const Curl& curl() {
  static const Curl loaded;
  return loaded;
}

}  // namespace xplan::net
