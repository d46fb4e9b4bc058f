// Calls of functions that may take long: an interrupt leaves them behind instead of waiting for them.
//
// Who calls it: call_protocol.cc, with arguments that are already what the implementation wants to see.
// Why: compressing, hashing, parsing or matching 200 MB takes seconds, mostly in code of libraries that knows
// nothing of interrupts. Such a call runs on a thread of its own, and whoever waits for it looks whether the
// run is to end. What was left behind ends by itself, at the latest with the process.
// Contract: the implementation must use nothing but its arguments and the context's texts and stopped(),
// which live as long as it does; what evaluates further on its own (Function::evaluates) hears interrupts
// there. Cost: a thread for each call with arguments that are so large. Thread-safety: any thread.
#pragma once
#include "core/eval/function.h"

namespace xplan::eval {

// Whether a call with these arguments may take longer than a moment.
bool may_take_long(const Function& f, std::span<const Value> args, const CallContext& ctx);
// Like the implementation, but gives up when it hears the context's stop.
Value call_apart(const Function& f, std::span<const Value> args, const CallContext& ctx, CallError& error);

}  // namespace xplan::eval
