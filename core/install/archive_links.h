// ArchiveLinks: the symbolic links of an archive, and where each of them leads.
//
// Who calls it: archive.cc, which makes the links when all files are written.
// Contract: end_of() follows a link through all others, as the system would, and gives the name that it ends
// at, in normal form; an error when it leaves the directory on any step of the way, is absolute, or forms a
// cycle. Names that lie below a link are the business of TreeWriter, which refuses them. Cost: bounded by 40
// links on the way and by the depth of names.  Thread-safety: one thread. Why followed here and not by the
// system: a link is looked at before it is made, and its target alone does not tell where ".." leads behind
// another link.
#pragma once
#include <map>
#include <string>

#include "core/base/result.h"

namespace xplan::install {

class ArchiveLinks {
 public:
  Result<void> add(const std::string& name, const std::string& target);
  Result<std::string> end_of(const std::string& name) const;
  const std::map<std::string, std::string>& all() const { return targets_; }

 private:
  std::map<std::string, std::string> targets_;
};

}  // namespace xplan::install
