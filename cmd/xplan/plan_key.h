// The passphrase that plan files are encrypted with, where it is not the configuration that says how.
//
// Who calls it: commands that write or read plan files; operation.cc, which opens them.
// Contract: -plan-key-file comes before XPLAN_PLAN_PASSPHRASE, and both before the encryption block; with
// either, a plan file that is not encrypted is refused (diff warns of one beside an encrypted one).  Cost:
// reads one small file.  Thread-safety: one thread.
#pragma once
#include <memory>

#include "cmd/xplan/session.h"
#include "core/crypt/codec.h"
#include "planfile/planfile.h"

namespace xplan::cmd {

void add_plan_key(Flags& flags, Session& s);
bool is_plain_plan(const std::string& path);  // as far as its first bytes tell
// Null where neither is given. False after reporting why what is given cannot be used.
bool plan_key(Session& s, std::shared_ptr<crypt::Codec>& out);
// Opens a plan file with it, or as the configuration says. Nothing after reporting anything but an error of
// planfile::read(), which the caller reports. A review half has no secrets, so it is never encrypted.
std::optional<Result<planfile::Opened>> read_plan_file(Session& s, const std::string& path,
                                                       const crypt::Encryption& encryption);

}  // namespace xplan::cmd
