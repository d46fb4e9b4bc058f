// Running out of memory: what is kept in reserve, and who is told.
//
// Who calls it: main.cc, before anything else; operation.cc while changes are made; the makers of values,
// names and types, which take their memory from malloc; arrival.cc. Why: a run that changes objects must not
// just end when it gets no more memory: what is under way has to be finished, and the state saved. Contract:
// at the first allocation that fails, the reserve is given back to the system. With somebody to stop
// (stop_at_end_of_memory), that allocation then succeeds and the run goes on to its end, as after an
// interrupt; otherwise it throws std::bad_alloc, and the reserve is for telling. When that is not enough, or
// a library ends the program for want of memory, it exits with 1 and says so. Cost: address space; no memory
// is touched. Thread-safety: any thread may run out of memory; the rest is called from one.
#pragma once
#include <atomic>
#include <cstddef>

namespace xplan {

void keep_memory_reserve();
void stop_at_end_of_memory(std::atomic<bool>* stop);  // null: nobody any more
bool memory_ended();
[[noreturn]] void exit_without_memory();

// Like operator new, for what free() frees.
void* take_memory(size_t size);
// Whether that much is to be had at this moment, and as much as the reserve besides. Nobody hears of it where
// it is not, so this comes before what is large and can be done without.
bool has_memory(size_t size);

}  // namespace xplan
