// Ends the program when a contract is broken.
#include "core/base/check.h"

#include <cstdio>
#include <cstdlib>

namespace xplan {

void check_failed(const char* what, const char* file, int line) {
  std::fprintf(stderr,
               "\nInternal error: \"%s\" does not hold (%s:%d). This is a bug in xplan; please report it.\n",
               what, file, line);
  std::abort();
}

}  // namespace xplan
