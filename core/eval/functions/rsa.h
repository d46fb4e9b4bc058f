// Decryption with an RSA private key.
//
// Who calls it: crypto.cc (rsadecrypt).
// Contract: keys are PEM, unencrypted: "RSA PRIVATE KEY", "PRIVATE KEY" or "OPENSSH PRIVATE KEY". Padding is
// PKCS #1 v1.5. No message ever quotes the key or the text.  Cost: one private-key operation. Thread-safety:
// pure function.
#pragma once
#include <string>
#include <string_view>

namespace xplan::eval {

enum class RsaProblem { None, Key, Text };

RsaProblem rsa_decrypt(std::string_view cipher, std::string_view pem, std::string& out, std::string& message);

}  // namespace xplan::eval
