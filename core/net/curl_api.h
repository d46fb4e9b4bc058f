// The functions of libcurl, loaded when the first of them is needed.
//
// Who calls it: client.cc, setup.cc, transfer.cc and url.cc.
// Contract: ask curl_missing() before the first call; the pointers are null when something is missing. Cost:
// loading on first use only.  Thread-safety: any thread.
#pragma once
#include <curl/curl.h>

#include <string>

#include "core/base/library.h"

namespace xplan::net {

// The headers replace some of the names by macros.
#undef curl_easy_setopt
#undef curl_easy_getinfo

#define XPLAN_CURL_FUNCTIONS(X) \
  X(curl_global_init)           \
  X(curl_easy_init)             \
  X(curl_easy_setopt)           \
  X(curl_easy_perform)          \
  X(curl_easy_getinfo)          \
  X(curl_easy_cleanup)          \
  X(curl_easy_reset)            \
  X(curl_easy_strerror)         \
  X(curl_slist_append)          \
  X(curl_slist_free_all) X(curl_url) X(curl_url_cleanup) X(curl_url_set) X(curl_url_get) X(curl_free)

XPLAN_LIBRARY_STRUCT(Curl, "libcurl.so.4", XPLAN_CURL_FUNCTIONS,
                     if (library.missing().empty()) curl_global_init(CURL_GLOBAL_DEFAULT);)
const Curl& curl();
// What is not there; empty when all is well.
inline const std::string& curl_missing() {
  return curl().library.missing();
}

}  // namespace xplan::net
