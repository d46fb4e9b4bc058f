// Digests of states, which a table keeps beside the store that they are in: what was read must have its own.
//
// Who calls it: places whose settings name a table.
// Contract: a store may lag behind its table for a moment, so what does not fit is read again for a while.
// `read` gives the content, `wanted` the digest in the table (nothing or empty: there is none), `mismatch`
// the error, from both digests in hexadecimal digits. What is written without its digest is an error, but not
// somebody else's for whoever writes again.  Cost: a request for the digest. Thread-safety: none.
#pragma once
#include <chrono>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "core/base/base64.h"
#include "core/base/digest.h"
#include "core/base/stop.h"
#include "core/state/place.h"

namespace xplan::backend {

inline bool wait_for_digest(Stop stop) {
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(2);
  while (!stopped(stop) && std::chrono::steady_clock::now() < until)
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  return !stopped(stop);
}

template <class Read, class Wanted, class Mismatch>
Result<std::optional<Content>> read_with_digest(Stop stop, Read read, Wanted wanted, Mismatch mismatch) {
  for (const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(10);;) {
    Result<std::optional<Content>> content = read();
    if (!content) return content;
    const Result<std::optional<std::string>> kept = wanted();
    if (!kept) return kept.error();
    const std::string found = *content ? hex_encode(digest(Digest::Md5, (*content)->bytes)) : "";
    if (!*kept || (*kept)->empty() || **kept == found) return content;
    if (std::chrono::steady_clock::now() >= until) return mismatch(found, **kept);
    if (!wait_for_digest(stop)) return interrupted();
  }
}

// What was written without its digest: over which version, and its own.
using Undigested = std::optional<std::pair<std::optional<std::string>, std::string>>;

// A caller who heard that the digest is missing still has the version from before that. `write(version)`
// gives a Place::Put, `keep(put)` the table's answer.
template <class Write, class Keep>
Result<Place::Put> write_with_digest(Undigested& undigested, const std::optional<std::string>& version,
                                     Write write, Keep keep) {
  const bool ours = undigested && undigested->first == version;
  Result<Place::Put> done = write(ours ? std::optional(undigested->second) : version);
  if (!done || done->conflict) return done;
  if (const auto kept = keep(*done); !kept || !kept->refused.empty()) {
    undigested.emplace(version, done->version);
    return Error{"the state is written, but not its checksum: " + (kept ? kept->text : kept.error().message)};
  }
  undigested.reset();
  return done;
}

}  // namespace xplan::backend
