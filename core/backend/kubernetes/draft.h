// KubeDraft: the whole of a state that is in several secrets, kept beside them while they are replaced.
//
// Who calls it: place.cc.
// Contract: secrets cannot be replaced all in one step, and nobody can read a state some of whose secrets are
// of the former one: the compression's checksum tells. So the new state is in a draft before the first of
// them is touched, from which it can be read until the last one is. A draft counts only if it is whole and
// the state's first secret is its own. Each is named after its content, so that none takes the place of
// another one, from which the state may have been read. Other tools do not see drafts: they lack the labels
// of states. Cost: two requests for each secret to write them, one and a list to find or to remove them.
// Thread-safety: as KubeClient.
#pragma once
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "core/backend/kubernetes/client.h"

namespace xplan::backend::kubernetes {

class KubeDraft {
 public:
  // Beside the secrets of this name and these labels.
  KubeDraft(std::shared_ptr<KubeClient> client, const std::string& secret, Labels labels);
  Result<void> keep(std::string_view packed);
  // `first`: what the state's first secret has, as base64. Nothing: there is no draft of that.
  Result<std::optional<std::string>> find(const std::string& first, Stop stop);
  using Drafts = std::map<std::string, std::set<size_t>>;  // what of each is there, by its name
  Result<Drafts> all(Stop stop);
  Result<void> remove(const Drafts& drafts);  // fine if they are not there

 private:
  Result<std::optional<std::string>> whole(const std::string& name, const std::string& first, Stop stop);

  const std::shared_ptr<KubeClient> client_;
  const std::string secret_;
  Labels labels_;
};

}  // namespace xplan::backend::kubernetes
