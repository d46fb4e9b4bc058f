// tests/servers/azurerm.py for unit tests.
#pragma once
#include <fstream>
#include <sstream>

#include "tests/support/environment.h"
#include "tests/support/server_program.h"

namespace xplan::test {

class AzureTestServer : public ServerProgram {
 public:
  explicit AzureTestServer(std::vector<std::string> options = {})
      : ServerProgram("azurerm.py", std::move(options)) {}
  // A client that reaches Azure's hosts there.
  net::ClientOptions client() const {
    net::ClientOptions out;
    std::stringstream pem;
    pem << std::ifstream(more).rdbuf();
    out.authorities = pem.str();
    out.proxies = net::Proxies{url, url, ""};
    return out;
  }
};

}  // namespace xplan::test
