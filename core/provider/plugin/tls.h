// Certificates for mutual TLS with a plugin: both sides make one for the occasion and trust the other's
// alone.
//
// Who calls it: process start (ours goes into the plugin's environment), the handshake (the plugin's).
// Cost: making a certificate takes about a millisecond; one serves the whole run.  Thread-safety: any thread.
#pragma once
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace xplan::plugin {

struct Identity {
  std::string certificate, key;  // PEM
};
// Self-signed, for "localhost", valid from yesterday on for a year; new keys at each call.
Result<Identity> make_identity(const char* curve = "P-256");
// The plugin's certificate, as it stands in the handshake line (base64 of DER, padded or not), as PEM.
Result<std::string> certificate_pem(std::string_view base64);

}  // namespace xplan::plugin
