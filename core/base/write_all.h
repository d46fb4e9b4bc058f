// Writing all of something to a descriptor, in as many pieces as the system takes.
//
// Who calls it: files that are replaced as a whole, the state and its journal, the streams of commands.
// Contract: 0, or the system's error; then an unknown part of it is written. Cost: one system call, mostly.
// Thread-safety: pure.
#pragma once
#include <string_view>

namespace xplan {

[[nodiscard]] int write_all(int fd, std::string_view data);

}  // namespace xplan
