// The keys of an SSH agent in the order that a user prefers: servers allow only few attempts.
//
// Who calls it: authenticate.cc.
// Contract: what agent_identity names comes first: the comment of a key, a public key, or the path of a file
// with one (with or without .pub). Without an identity, or an agent, nothing is done. Cost: a thread that
// ends with the session.  Thread-safety: as the session's.
#pragma once
#include <string>

#include "core/remote/libssh.h"

namespace xplan::remote {

void prefer_identity(ssh_session session, const std::string& identity);
// The agent's list of keys with those first that are this key or have this comment; unchanged if it is not a
// list.
std::string in_order(const std::string& answer, const std::string& comment, const std::string& key_blob);

}  // namespace xplan::remote
