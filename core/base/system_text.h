// The system's text for an error number, for the end of a message: "no such file or directory".
//
// Who calls it: whoever reports that a system call failed; fs.h does for its callers.  Contract: begins in
// lower case, as all phrases of an Error do (core/diag/README.md).  Cost: the text.  Thread-safety: any
// thread.
#pragma once
#include <string>

namespace xplan {

std::string system_text(int code);  // as errno has it

}  // namespace xplan
