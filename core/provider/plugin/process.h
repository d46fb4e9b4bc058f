// A running plugin process: started, its handshake read, its output kept, its end noticed.
//
// Who calls it: Session. Contract: start() gives a process that has said where it listens, or an Error that
// says in sentences why not, with what the program printed last. When `stop` becomes true it does not wait
// any longer. It is killed when `hangs`, which is asked a few times a second by one thread, says so, and by
// the destructor. The process and all that it has started form a group: nothing of it is left when the
// process has ended, nor when this one has, however it ended (base/spawn.h); an interrupt from the terminal
// does not reach it. Cost: a thread per process, which sleeps.  Thread-safety: any thread.
#pragma once
#include <sys/types.h>

#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "core/base/result.h"
#include "core/provider/plugin/handshake.h"
#include "core/provider/plugin/output.h"

namespace xplan::plugin {

class Process {
 public:
  static Result<std::unique_ptr<Process>> start(const std::string& path,
                                                const std::vector<std::string>& environment,
                                                std::shared_ptr<Output> output, int timeout_seconds,
                                                const std::atomic<bool>* stop, std::function<bool()> hangs);
  ~Process();
  const Endpoint& endpoint() const { return endpoint_; }
  bool wait_for_end(int millis);  // true: it has ended
  void kill();
  std::string end_text() const;  // "exited with code 2", "is still running"

 private:
  Process(std::shared_ptr<Output> output, std::function<bool()> hangs)
      : output_(std::move(output)), hangs_(std::move(hangs)) {}
  Result<void> handshake(int timeout_seconds, const std::atomic<bool>* stop);
  void watch();
  bool read_pipe(int& fd, Output::Stream s);  // false: nothing more will come
  void first_line(std::string_view& bytes);

  const std::shared_ptr<Output> output_;
  const std::function<bool()> hangs_;
  Endpoint endpoint_;
  pid_t child_ = -1;
  int out_ = -1, err_ = -1;  // what it prints; the watcher's
  std::thread watcher_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  bool ended_ = false, has_line_ = false;
  int status_ = 0;
  std::string line_;
};

// Kills a process that has not ended by then.
class Deadline {
 public:
  Deadline(Process& process, int millis);
  ~Deadline();
  Deadline(const Deadline&) = delete;

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool over_ = false;
  std::thread thread_;
};

}  // namespace xplan::plugin
