// SourceTable: the text of every file (or argument) that diagnostics can point into, as one virtual text.
//
// Who calls it: syntax registers files; render resolves ranges to file:line:column.
// Invariant: a Range is a pair of offsets into the concatenation of all registered texts; offset 0 belongs to
// no file, so a default Range means "no place". Texts are kept until the table goes.
// Cost: add() copies the text once; resolve() is a binary search plus a scan of that file's line table, made
// on first use: positions are cheap to carry and paid for only when they are printed.
// Thread-safety: add() and resolve() may be called from any thread.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace xplan {

struct Range {
  uint32_t begin = 0, end = 0;  // [begin, end) in the virtual text
  bool valid() const { return begin != 0; }
  friend bool operator==(Range, Range) = default;
};
inline Range cover(Range a, Range b) {
  if (!a.valid()) return b;
  if (!b.valid()) return a;
  return {a.begin < b.begin ? a.begin : b.begin, a.end > b.end ? a.end : b.end};
}

struct Position {
  int line = 0;    // 1-based
  int column = 0;  // 1-based, in grapheme clusters
  int byte = 0;    // 0-based offset in the file
};

struct ResolvedRange {
  std::string_view file;  // as registered: relative to the working directory where possible
  Position start, end;
  std::string_view text;        // the covered text
  std::string_view first_line;  // the whole source line on which the range starts
};

class SourceTable {
 public:
  SourceTable();
  ~SourceTable();
  // Registers a source text; returns the virtual offset of its first byte. `name` is what users see.
  uint32_t add(std::string name, std::string text);
  std::string_view text_of(uint32_t base) const;    // the whole text registered at this base offset
  bool resolve(Range r, ResolvedRange& out) const;  // false for an invalid range
  // Number of registered files and their names and texts, in order (the plan file keeps a snapshot).
  size_t size() const;
  std::string_view name(size_t i) const;
  std::string_view text(size_t i) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace xplan
