// Certificates for mutual TLS between an engine and a plugin: both sides make one for the occasion and trust
// the other's alone.
//
// Who calls it: the plugin client (its own goes into the plugin's environment, the plugin's comes in the
// handshake line), the provider kit's server, the other way round.
// Cost: making a certificate takes about a millisecond; one serves the whole run.  Thread-safety: any thread.
#pragma once
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace xplan::wire {

struct TlsIdentity {
  std::string certificate, key;  // PEM
};
// Self-signed, for "localhost", for servers and clients, valid from yesterday on for a year; new keys at each
// call.
Result<TlsIdentity> make_tls_identity(const char* curve = "P-256");

// A certificate as the handshake line has it, base64 of DER on one line, is shorter than its PEM by the first
// and last lines, the line breaks and the padding.
std::string handshake_certificate(std::string_view pem);
// The inverse; padding may be there. An Error when it is not a certificate.
Result<std::string> certificate_pem(std::string_view handshake_form);

}  // namespace xplan::wire
