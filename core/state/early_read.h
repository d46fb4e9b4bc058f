// EarlyRead: reads a state while it arrives, in a thread of its own.
//
// Who calls it: JournaledStore, around one get(). Contract: it only ever saves time. What it has read counts
// if it is, byte for byte, what get() returned; in every other case (an attempt that was tried again, an
// older format, no state at all) there is nothing, and the state is read when it is whole, with the errors
// that are due then. Cost: none unless something large arrives; then a thread, and a copy of the text until
// result(). Thread-safety: one thread, beside the one that it makes.
#pragma once
#include <memory>
#include <optional>
#include <string_view>
#include <thread>

#include "core/base/arrival.h"
#include "core/state/state.h"

namespace xplan {

class EarlyRead {
 public:
  EarlyRead() : arrival_([this] { start(); }) {}
  ~EarlyRead() { stop(); }
  Arrival& arrival() { return arrival_; }

  struct Read {
    std::shared_ptr<const std::string> text;  // which the state has slices of
    State state;
  };
  std::optional<Read> result(std::string_view text);

 private:
  void start();
  void stop();
  Arrival arrival_;
  std::optional<State> state_;
  std::thread reader_;
};

}  // namespace xplan
