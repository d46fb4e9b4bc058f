// Text that is not parsed: where to go on after a syntax error, and where a bracket ends.
//
// Who calls it: the parser, when it has given up on a statement or a block.
// Contract: only brackets, strings, heredocs and template sequences are looked at; anything may be wrong with
// the rest. The result is a position in the text, or its end. Cost: linear in what is skipped. Thread-safety:
// pure functions.
#pragma once
#include <cstddef>
#include <string_view>

namespace xplan::syntax {

// Whether the identifier at `name` begins a block: labels and a brace follow on its line.
bool is_block_header(std::string_view s, size_t name);

// Where the statement ends that begins at `from` and has its error at `error`: the first newline behind the
// error that is outside of all brackets, the brace that closes what was open before `from`, or an earlier
// newline behind which an argument seems to begin. With `headers_end`, also a block header in the first
// column.
size_t resume_after_error(std::string_view s, size_t from, size_t error, bool headers_end);

// The position behind the bracket that closes the one at `open`.
size_t end_of_bracket(std::string_view s, size_t open);

}  // namespace xplan::syntax
