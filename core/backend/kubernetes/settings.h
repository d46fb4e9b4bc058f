// The settings of the backend "kubernetes": its arguments as a table, and what they, the environment and
// kubeconfig files mean together.
//
// Who calls it: server.cc; tests. Contract: an error names the argument or the file that is wrong, never a
// secret. Cost: the files that are named. Thread-safety: pure, but for reading the environment and files.
#pragma once
#include <map>
#include <string>

#include "core/backend/kubernetes/access.h"
#include "core/base/result.h"
#include "core/schema/schema.h"

namespace xplan::backend::kubernetes {

using Labels = std::map<std::string, std::string>;

struct KubeSettings {
  std::string suffix, name_space;
  Labels labels;                  // besides those that every state has
  size_t part = size_t{1} << 20;  // of a compressed state, as much as a secret has: no setting, but for tests
  Access access;
};

const schema::Block& kubernetes_schema();
// `account`: where a pod finds the token of its service account.
Result<KubeSettings> read_settings(
    const Value& settings, const std::string& account = "/var/run/secrets/kubernetes.io/serviceaccount");

}  // namespace xplan::backend::kubernetes
