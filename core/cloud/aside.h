// Aside: what a program that gives credentials says besides them, such as that a button is to be pressed.
//
// Who calls it: aws_program.cc; credentials helpers (hosts), programs of kubeconfig files (backend).
// Contract: what is written into end() is shown on standard error while the program runs, but not at any
// length, and nothing of it acts on the terminal. The program is never held up. The caller closes its own end
// when the program has been started, and destroys this when it has ended. Cost: a thread.
// Thread-safety: belongs to one thread.
#pragma once
#include <atomic>
#include <thread>

#include "core/base/spawn.h"

namespace xplan::cloud {

class Aside {
 public:
  ~Aside();
  bool begin();  // false: that is not possible
  int end() const { return pipe_.write; }
  void close_end() { pipe_.close_write(); }

 private:
  void show();
  Pipe pipe_;
  std::atomic<bool> over_{false};
  std::thread reader_;
};

}  // namespace xplan::cloud
