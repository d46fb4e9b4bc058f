// tests/servers/hcp.py for unit tests, and the environment in which it is app.example.test.
#pragma once
#include "tests/support/environment.h"
#include "tests/support/folder.h"
#include "tests/support/server_program.h"

namespace xplan::test {

class HcpTestServer {
 public:
  nlohmann::json control(std::string order) { return server_.control(std::move(order)); }
  nlohmann::json log() { return server_.log(); }

 private:
  Folder folder_;
  ServerProgram server_{"hcp.py", {folder_.path}};
  const Environment environment_{{"HTTPS_PROXY", server_.url},
                                 {"https_proxy", server_.url},
                                 {"SSL_CERT_FILE", folder_.path + "/cert.pem"},
                                 {"TF_CLI_CONFIG_FILE", "/dev/null"},
                                 {"TF_REGISTRY_DISCOVERY_RETRY", "0"},
                                 {"TF_TOKEN_app_example_test", "good"}};
};

}  // namespace xplan::test
