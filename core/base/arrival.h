// Arrival: a text that one thread receives while another one reads it already.
//
// Who calls it: the receiver is a transfer (core/net), the reader a JsonCursor (json_cursor.h) of a thread
// that `begun` starts. Contract: what was received stays where it is, so the reader can keep slices of it;
// whoever holds text() keeps it alive. Only the first beginning counts: one that is abandoned, or followed by
// another (a transfer that is tried again), is void for good, and its reader sees an end too early. Nobody
// has to read. Cost: a copy of the text, in one piece that is reserved at the beginning. Thread-safety: one
// receiver and one reader.
#pragma once
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

namespace xplan {

class Arrival {
 public:
  // What is smaller is read in no time when it is whole.
  static constexpr uint64_t kWorthwhile = 1 << 20;

  // `begun`: called by the receiver, once, when something worthwhile begins to arrive.
  explicit Arrival(std::function<void()> begun) : begun_(std::move(begun)) {}

  // The receiver's side. `size`: in bytes, at most; what exceeds it makes the arrival void.
  void begin(uint64_t size);
  void append(std::string_view piece);
  void end();  // it is whole
  void abandon();

  // The reader's side. How many bytes there are, after waiting until they are more than `seen`, or no more
  // will come; `last`: then that is so.
  size_t wait(size_t seen, bool& last);
  std::shared_ptr<const std::string> text() const {
    return text_;
  }  // its bytes; its size counts when it is whole
  bool whole() const;

 private:
  enum class Phase : uint8_t { Before, Arriving, Whole, Void };
  void set(Phase phase);

  const std::function<void()> begun_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  Phase phase_ = Phase::Before;
  size_t there_ = 0;
  std::shared_ptr<std::string> text_;
};

}  // namespace xplan
