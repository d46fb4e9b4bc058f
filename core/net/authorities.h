// Authorities: where a distribution keeps the certificates of the authorities that its users trust.
//
// Who calls it: setup.cc, for the portable program; a libcurl of the distribution knows by itself.
// Contract: the first place in which there is something; both are empty where there is none. Cost: a few
// system calls.  Thread-safety: any thread.
#pragma once
#include <string>

namespace xplan::net {

struct Authorities {
  std::string file;       // with all certificates, or
  std::string directory;  // with a file for each, named by its hash
};
// Below `root`, which is "" but for tests.
Authorities system_authorities(const std::string& root = "");

}  // namespace xplan::net
