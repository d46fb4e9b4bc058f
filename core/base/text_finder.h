// TextFinder: finds many strings in another one, in one pass.
//
// Who calls it: plan/secrets.h and review/secret_texts.h, to keep secrets out of what is shown.
// Contract: no byte of an occurrence stays outside of what is found, however occurrences overlap.
// Cost: for each byte of the text a search among the strings, which are sorted: linear in the text, times the
// logarithm of their number. Thread-safety: const functions from any thread.
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <unordered_set>

namespace xplan {

class TextFinder {
 public:
  // What is looked for, and what stands for it in the results. Of two for the same string the first stays;
  // an empty string is not looked for.
  void add(std::string text, std::string value);
  bool empty() const { return texts_.empty(); }

  // Calls `found` for each stretch of text[begin, end) that occurrences cover, from left to right, with the
  // value of the first one, the longest where several begin. Occurrences that `counts` says no to are not
  // any.
  using Found = std::function<void(size_t at, size_t size, std::string_view value)>;
  using Counts = std::function<bool(size_t at, size_t size)>;
  void find(std::string_view text, size_t begin, size_t end, const Found& found,
            const Counts& counts = nullptr) const;

 private:
  using Texts = std::map<std::string, std::string, std::less<>>;
  static uint32_t beginning(std::string_view text);
  // The longest one that `text` begins with; null: none.
  const Texts::value_type* longest(std::string_view text) const;

  Texts texts_;
  std::unordered_set<uint32_t> beginnings_;
};

}  // namespace xplan
