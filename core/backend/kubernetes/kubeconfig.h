// Kubeconfig files: which clusters there are, and who may use them how.
//
// Who calls it: settings.cc; tests. Contract: files are merged as kubectl does it: of several entries of one
// name, and of several current contexts, the first counts; paths in a file are relative to it. An error names
// the file or the entry, never a secret. Cost: the files. Thread-safety: reads files, otherwise pure.
#pragma once
#include <string>
#include <vector>

#include "core/backend/kubernetes/access.h"
#include "core/base/result.h"

namespace xplan::backend::kubernetes {

// Which of the entries; "": what the (current) context says.
struct Selection {
  std::string context, cluster, user;
};
// Of several files those that do not exist are passed over.
Result<Access> read_kubeconfig(const std::vector<std::string>& paths, const Selection& selection);

}  // namespace xplan::backend::kubernetes
