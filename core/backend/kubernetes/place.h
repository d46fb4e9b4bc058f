// The place of one state among the secrets of a namespace.
//
// Who calls it: server.cc; tests. Contract: that of Place; versions are digests of what the secret has. A
// state is compressed, and what is larger than a secret is in several (NAME-part-1, …), the first of which is
// replaced first and only in the version that was read; a run that ends in the middle leaves a draft, which
// is then what is read. Cost: one request to read, two to write; four, and eight more for each further
// part, where there are several.
// Thread-safety: as Place says.
#pragma once
#include <memory>
#include <string>

#include "core/backend/kubernetes/client.h"
#include "core/state/place.h"

namespace xplan::backend::kubernetes {

std::unique_ptr<Place> make_place(std::shared_ptr<KubeClient> client, const std::string& workspace);
// With its parts; its lock, unless somebody holds it; both.
Result<void> remove_state(const std::shared_ptr<KubeClient>& client, const std::string& workspace);
Result<void> remove_lock(const std::shared_ptr<KubeClient>& client, const std::string& workspace);
Result<void> remove_place(const std::shared_ptr<KubeClient>& client, const std::string& workspace);
// Secrets of this suffix.
std::string selector_of(const KubeClient& client);

}  // namespace xplan::backend::kubernetes
