// Envelope: the JSON around encrypted data, to the byte as OpenTofu writes it; and what tells it from the
// plain bytes of a state or a plan file.
//
// Who calls it: target.cc.  Contract: the text is hostile. Metadata is kept as it is, by the name of the key
// provider that made it.  Cost: linear; what tells the form is among the first members. Thread-safety: pure
// functions.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace xplan::crypt {

enum class Payload : unsigned char { State, Plan };
std::string_view noun(Payload p);  // "state", "plan file"

using Metadata = std::map<std::string, std::string>;  // key_provider.TYPE.NAME or its alias → JSON

// What the envelope of a state repeats of it.
struct StateIds {
  std::string serial = "0";  // as written
  std::string lineage;
  friend bool operator==(const StateIds&, const StateIds&) = default;
};
StateIds ids_of_state(std::string_view plain);

struct Envelope {
  std::optional<StateIds> ids;
  Metadata metadata;
  std::string data;
};
std::string write_envelope(const Envelope& e);

enum class Form : unsigned char { Plain, Encrypted, Other };
Form form_of(Payload p, std::string_view text);
// Of a text whose form is Encrypted.
Result<Envelope> read_envelope(std::string_view text);

}  // namespace xplan::crypt
