// A file on its way: written without a name, and put in its place once it is complete.
//
// Who calls it: atomic_file.cc.
// Contract: nothing of it is left when the process dies before it is in its place, on file systems that have
// files without names (O_TMPFILE). Replacing needs a name for a moment; elsewhere it has one from the start
// (leftovers.h). When the draft is destroyed before, it is gone.  Cost: a few system calls; all bytes are
// written once more where a file without a name cannot be given one.  Thread-safety: one thread per draft.
#pragma once
#include <sys/types.h>
#include <string>

#include "core/base/fs_internal.h"

namespace xplan {

enum class Existing : unsigned char { Replaced, Kept };

class DraftFile {
 public:
  explicit DraftFile(std::string path);
  ~DraftFile();
  DraftFile(const DraftFile&) = delete;
  DraftFile& operator=(const DraftFile&) = delete;
  int fd() const { return fd_.get(); }  // -1: why is the result of failed()
  Error failed() const { return system_error("create", name_, error_); }
  // What is written is on the disk from here on, and at its path. False: something is there, which was kept.
  Result<bool> place(mode_t mode, Existing existing);

 private:
  bool create_named();
  Result<void> give_name(mode_t mode);
  const std::string path_;
  std::string name_;  // of the draft itself; empty: none
  Descriptor fd_{-1};
  int error_ = 0;
};

}  // namespace xplan
