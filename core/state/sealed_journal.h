// Sealed journals: how the lines of a journal are kept where states are encrypted.
//
// Who calls it: journal homes, while they write; journaled_store.cc, before it reads.
// Form: a header of the codec, then a line of base64 for each line of the journal, numbered from 0 and
// encrypted with the key that the header contains. A header may stand in front of every segment; another
// header begins to number anew. Contract: opened, a sealed journal is the journal, so its readers need not
// know. What is not authentic becomes a line that nobody can read, a gap in the numbers one that says so: the
// reader then tells of damage, unless segments are missing that nobody relied on. Lines in another order than
// they were written in, plain ones where the codec does not accept them, and a mixture of both but for the
// commit of a later run, are errors. Cost: linear, one copy. Thread-safety: line() on one thread at a time.
#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/crypt/codec.h"

namespace xplan {

class JournalSeal {
 public:
  JournalSeal() = default;  // lines stay as they are
  // Fetches keys where there is something to encrypt: before anything is changed.
  static Result<JournalSeal> begin(crypt::Codec& codec);
  std::string header() const { return writer_ ? writer_->header() + "\n" : std::string(); }
  // Of a whole line, with its line break.
  Result<std::string> line(std::string_view line);
  // How many bytes a line of so many takes.
  int64_t size_of(int64_t line) const { return writer_ ? (line + 30) * 4 / 3 + 4 : line; }

 private:
  std::unique_ptr<crypt::RecordWriter> writer_;  // null: nothing is encrypted
};

// The header and these lines, by themselves.
Result<std::string> seal_lines(crypt::Codec& codec, const std::vector<std::string>& lines);

Result<std::shared_ptr<const std::string>> open_journal(std::shared_ptr<const std::string> text,
                                                        crypt::Codec& codec);

}  // namespace xplan
