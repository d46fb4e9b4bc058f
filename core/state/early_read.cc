// The thread that reads a state while it arrives, and what becomes of it.
#include "core/state/early_read.h"

#include <exception>
#include <utility>

#include "core/base/threads.h"

namespace xplan {

void EarlyRead::start() {
  reader_ = optional_thread([this] {
    try {
      state_ = read_arriving_state(arrival_);
    } catch (const std::exception&) {  // no memory: whoever reads it whole says so, if that is so still
      state_.reset();
    }
  });
  if (!reader_.joinable()) arrival_.abandon();
}

void EarlyRead::stop() {
  arrival_.abandon();
  if (reader_.joinable()) reader_.join();
}

std::optional<EarlyRead::Read> EarlyRead::result(std::string_view text) {
  const bool whole = arrival_.whole();
  if (!whole) arrival_.abandon();
  if (reader_.joinable()) reader_.join();
  std::optional<State> read = std::exchange(state_, std::nullopt);
  if (!whole || !read || *arrival_.text() != text) return std::nullopt;
  return Read{arrival_.text(), std::move(*read)};
}

}  // namespace xplan
