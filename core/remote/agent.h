// The SSH agent of a user, who is not waited for without end, with its keys in the order that the connection
// prefers: servers allow only few attempts.
//
// Who calls it: authenticate.cc.
// Contract: what agent_identity names comes first: the comment of a key, a public key, or the path of a file
// with one (with or without .pub). An agent that does not answer while there is patience has none. Without an
// agent, nothing is done. Cost: a thread that ends with the session.  Thread-safety: as the session's.
#pragma once
#include <string>

#include "core/remote/libssh.h"
#include "core/remote/target.h"

namespace xplan::remote {

// `patience`: until the login is over.
void use_agent(ssh_session session, const std::string& identity, const Patience& patience);
// The agent's list of keys with those first that are this key or have this comment; unchanged if it is not a
// list.
std::string in_order(const std::string& answer, const std::string& comment, const std::string& key_blob);

}  // namespace xplan::remote
