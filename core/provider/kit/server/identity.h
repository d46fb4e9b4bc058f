// The certificate of a plugin server: made at start, valid for the life of the process.
//
// Who calls it: serve. Contract: a new P-256 key and a self-signed certificate for "localhost", for servers
// and clients. Cost: about a millisecond. Thread-safety: pure.
#pragma once
#include <string>

#include "core/base/result.h"

namespace xplan::kit {

struct TlsIdentity {
  std::string key_pem, cert_pem;
  std::string cert_base64;  // DER, standard alphabet, without padding: as the handshake line has it
};
Result<TlsIdentity> make_tls_identity();

}  // namespace xplan::kit
