// A trace of every call of a provider (-timings), as a file for viewers of traces.
//
// Who calls it: session.cc.  Contract: the file is written once, at the end of the command.
// Cost: that of CallRecorder; the trace in memory when it is written.  Thread-safety: factory() as it is,
// write() when the run is over.
#pragma once
#include <string>

#include "core/provider/timing/recorder.h"

namespace xplan::cmd {

class Timings {
 public:
  Timings(ProviderFactory& providers, std::string path)
      : timed_(providers, recorder_), path_(std::move(path)) {}
  ProviderFactory& factory() { return timed_; }
  const std::string& path() const { return path_; }
  Result<void> write();

 private:
  CallRecorder recorder_;
  TimedFactory timed_;
  const std::string path_;
};

}  // namespace xplan::cmd
