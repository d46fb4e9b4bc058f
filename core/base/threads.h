// Threads that are made when the machine gives them, and done without when it does not.
//
// Who calls it: whatever has a helper beside its work: the stopper, the ticker, the plugin client.
// Contract: optional_thread() gives a thread that runs f, or none, which the log tells. run_concurrently()
// calls f(i) for every i below n, each on a thread of its own or, where there is none, on the caller's, and
// returns when all have; what they throw comes out then, that of the smallest i. What optional_thread() runs
// must not throw. take_no_signals() leaves all signals to other threads than the
// calling one.  Cost: a thread each.  Thread-safety: any thread.
#pragma once
#include <cstddef>
#include <functional>
#include <thread>

namespace xplan {

std::thread optional_thread(std::function<void()> f);
void take_no_signals();
void run_concurrently(size_t n, const std::function<void(size_t)>& f);

}  // namespace xplan
