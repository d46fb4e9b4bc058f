// The texts of secrets, to be found in other texts.
//
// Who calls it: redact.cc and redact_sources.cc.
// Contract: a text is also found in the form that it has in JSON strings and in quoted ones of the language.
// Cost: as TextFinder.
// Thread-safety: const functions from any thread.
#pragma once
#include <string>
#include <string_view>
#include <unordered_set>

#include "core/base/text_finder.h"

namespace xplan::review {

// Another character for each byte but line breaks.
void fill(std::string& text, size_t begin, size_t end, char with);
// Of "https://user:token@host": that for each byte of what stands before the "@".
void mask_users(std::string& text, size_t begin, size_t end, char with = '*');

// Of the address of a module, what may be a credential: the user, and arguments after the "?" but for those
// that only say which of its contents is meant.
void mask_address(std::string& text, size_t begin, size_t end, char with);

class SecretTexts {
 public:
  static constexpr size_t kShortest = 4;  // bytes; what is shorter is in everything
  void add(std::string_view secret);
  bool empty() const { return forms_.empty(); }
  // Every stretch of text[begin, end) that secrets cover; the value is the secret as it was added.
  void find(std::string_view text, size_t begin, size_t end, const TextFinder::Found& found) const {
    forms_.find(text, begin, end, found);
  }

 private:
  TextFinder forms_;
  std::unordered_set<std::string> known_;
};

}  // namespace xplan::review
