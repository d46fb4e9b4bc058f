// Requests about segments and parts that are objects of a server, several concurrently, since each takes its
// time.
//
// Who calls it: places whose segments, or whose parts of a state, are objects of a server.
// Contract: results stand in the order of what was asked; the first problem in that order counts. Cost: a
// thread for each of up to 16 connections.  Thread-safety: f is called by several threads.
#pragma once
#include <algorithm>
#include <atomic>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "core/base/threads.h"
#include "core/state/place.h"

namespace xplan::backend {

// Segments that are written concurrently. More would be smaller, and cost more requests than they save time.
inline constexpr size_t kConcurrentPuts = 4;

template <class T, class F>
std::optional<Error> each_concurrently(std::vector<Result<T>>& results, F f) {
  constexpr size_t kConnections = 16;
  std::atomic<size_t> next{0};      // whichever thread is free takes it, so a slow one holds up none of them
  std::atomic<bool> failed{false};  // then nothing more is begun
  run_concurrently(std::min(results.size(), kConnections), [&](size_t) {
    for (size_t i; !failed && (i = next.fetch_add(1)) < results.size();)
      if (results[i] = f(i); !results[i]) failed = true;
  });
  for (const Result<T>& r : results)
    if (!r) return r.error();
  return std::nullopt;
}

// f(i) for each of these numbers.
template <class F>
Result<void> for_each_concurrently(size_t from, size_t to, F f) {
  std::vector<Result<void>> results(to > from ? to - from : 0);
  const auto problem = each_concurrently(results, [&](size_t i) { return f(from + i); });
  return problem ? Result<void>(*problem) : Result<void>();
}

// The segments of one journal. `read` gets one of them, and takes what comes from the bytes that are left.
template <class F>
Result<std::vector<std::string>> read_segments(const std::vector<std::string>& names, F read) {
  std::atomic<int64_t> left = kLargestJournal;
  std::vector<Result<std::string>> results(names.size(), std::string());
  const auto problem = each_concurrently(results, [&](size_t i) -> Result<std::string> {
    return left < 0 ? Result<std::string>(journal_too_large()) : read(names[i], &left);
  });
  if (left < 0) return journal_too_large();
  if (problem) return *problem;
  std::vector<std::string> out;
  out.reserve(results.size());
  for (Result<std::string>& r : results) out.push_back(std::move(*r));
  return out;
}

template <class F>
Result<void> remove_each(const std::vector<std::string>& names, F remove) {
  return for_each_concurrently(0, names.size(), [&](size_t i) { return remove(names[i]); });
}

// The names of segments below the prefix, sorted, of keys that begin with it.
inline std::vector<std::string> names_below(const std::string& prefix, const std::vector<std::string>& keys) {
  std::vector<std::string> out;
  for (const std::string& key : keys)
    if (std::string name = key.substr(prefix.size()); may_name_segment(name)) out.push_back(std::move(name));
  std::sort(out.begin(), out.end());
  return out;
}

// All there are, whether or not the run is to stop.
inline Result<void> remove_all_segments(Place& place) {
  const Result<std::vector<std::string>> names = place.segments(true);
  return names ? place.remove_segments(*names) : names.error();
}

}  // namespace xplan::backend
