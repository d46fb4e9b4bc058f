// tests/servers/gcs.py for unit tests.
#pragma once
#include "tests/support/environment.h"
#include "tests/support/server_program.h"

namespace xplan::test {

class GcsTestServer : public ServerProgram {
 public:
  explicit GcsTestServer(std::vector<std::string> options = {})
      : ServerProgram("gcs.py", std::move(options)) {}
  std::vector<std::string> asked(const std::string& service = "storage") {
    return ServerProgram::asked(service);
  }
  // The file of a service account that may sign for tokens.
  nlohmann::json account() { return control("{'account': true}")["account"]; }
};

}  // namespace xplan::test
