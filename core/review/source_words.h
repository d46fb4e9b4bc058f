// What redact_sources.cc and redact_json_sources.cc share: which names say that something is secret, and the
// bytes that stand for secrets until all are found.
#pragma once
#include <string>
#include <string_view>
#include <unordered_map>

#include "core/review/source_literals.h"

namespace xplan::review {

inline bool names_secrets(std::string_view block_or_member) {
  return block_or_member == "backend" || block_or_member == "cloud" || block_or_member == "encryption" ||
         block_or_member == "connection";
}

// Of a variable or an output: its default, or its value, is secret.
inline bool makes_secret(std::string_view member) {
  return member == "sensitive" || member == "ephemeral";
}
inline bool is_secret_then(std::string_view member) {
  return member == "default" || member == "value";
}

// What stands for each byte of a secret until all are found: no source contains these. A name without quotes
// gets some; in a JSON string, escaped ones.
inline constexpr char kHidden = '\x01', kHiddenNumber = '\x02', kHiddenKey = '\x03', kHiddenName = '\x04',
                      kHiddenNameInJson = '\x05';

using SecretPlaces = std::unordered_map<const void*, Secrecy>;  // of Expr and JsonNode

// Of a member: what is said of it, or else what is said of what it is in.
inline Secrecy secrecy_of(const SecretPlaces& sensitive, const void* member, const Secrecy& around) {
  const auto known = sensitive.find(member);
  return known == sensitive.end() ? around : known->second;
}

inline void blank(std::string& text, size_t begin, size_t end) {
  for (size_t i = begin; i < end; ++i)
    if (text[i] != '\n' && text[i] != '\r') text[i] = ' ';
}

}  // namespace xplan::review
