// tests/servers/s3.py for unit tests.
#pragma once
#include "tests/support/environment.h"
#include "tests/support/server_program.h"

namespace xplan::test {

class S3TestServer : public ServerProgram {
 public:
  explicit S3TestServer(std::vector<std::string> options = {}) : ServerProgram("s3.py", std::move(options)) {}
  std::vector<std::string> asked(const std::string& service = "s3") { return ServerProgram::asked(service); }
};

}  // namespace xplan::test
