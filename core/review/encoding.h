// The bytes that effects are compared and digested by: one encoding for each value, whoever makes it.
//
// Who calls it: review/effects.h and what is behind it.  Specification: core/review/README.md.
// Contract: different values have different encodings; no encoding is the beginning of another one. A value
// with marks is only noted in `bytes`; its own encoding is appended to `secret`, and no sensitive byte is
// ever in `bytes`. Cost: linear.  Thread-safety: plain data.
#pragma once
#include <string>
#include <string_view>

#include "core/value/path.h"
#include "core/value/value.h"

namespace xplan::review {

class Encoder {
 public:
  Encoder& text(std::string_view s);
  Encoder& hidden(std::string_view s);  // a text that is a secret, or may contain one
  Encoder& value(const Value& v);
  Encoder& path(const Path& p);  // a list of names, keys and indexes
  Encoder& raw(std::string_view encoded);
  Encoder& begin_list() { return put('l'); }
  Encoder& begin_map() { return put('m'); }  // then, for each member, text() and its value, sorted by bytes
  Encoder& end() { return put('e'); }
  Encoder& null() { return put('n'); }

  std::string bytes, secret;

 private:
  Encoder& put(char c) {
    bytes += c;
    return *this;
  }
};

}  // namespace xplan::review
