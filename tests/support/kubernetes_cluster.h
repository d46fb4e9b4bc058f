// A cluster for the tests of states in Kubernetes: the test server, and places on it.
#pragma once
#include <chrono>
#include <memory>
#include <string>

#include "core/backend/kubernetes/place.h"
#include "tests/support/server_program.h"

namespace xplan::kubernetes_test {

using namespace xplan::backend::kubernetes;
using test::ServerProgram;

struct Cluster : ServerProgram {
  Cluster() : ServerProgram("kubernetes.py") {}
  void secret(const std::string& name, const std::string& data, const std::string& workspace = "default") {
    nlohmann::json o = {
        {"metadata",
         {{"labels", {{"tfstate", "true"}, {"tfstateSecretSuffix", "s"}, {"tfstateWorkspace", workspace}}}}}};
    if (!data.empty()) o["data"]["tfstate"] = data;
    control(nlohmann::json{{"secrets", {{name, o}}}}.dump());
  }
};

inline KubeSettings settings_for(const ServerProgram& server) {
  KubeSettings s;
  s.suffix = "s", s.name_space = "default";
  s.access.url = server.url;
  s.access.retry.first = std::chrono::milliseconds(1), s.access.retry.most = std::chrono::milliseconds(5);
  return s;
}

inline std::unique_ptr<Place> place_of(KubeSettings s, const std::string& workspace = "default",
                                       Stop stop = nullptr) {
  return make_place(std::make_shared<KubeClient>(std::move(s), stop), workspace);
}

inline bool mentions(const std::string& text, std::string_view part) {
  return text.find(part) != text.npos;
}

inline std::string noise(size_t size) {
  std::string out;
  for (uint64_t n = 88172645463325252u; out.size() < size; n ^= n << 13, n ^= n >> 7, n ^= n << 17)
    out += static_cast<char>(n >> 32);
  return out;
}

}  // namespace xplan::kubernetes_test
