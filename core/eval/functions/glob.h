// File name patterns with **, for fileset.
//
// Who calls it: files.cc; provider/fs/data.cc.
// Contract: `*` and `?` stay within a name, `[a-z]` and `[^a-z]` match one character, `{a,b}` are
// alternatives within one name, a name `**` stands for any number of directories (and, at the end, for what
// is in them), `\` takes the next character literally. Names that start with a dot are not special. Links to
// directories are followed, but not into a directory that is being looked at already. The result has every
// match once; directories are among them. What cannot be read is passed over. A malformed pattern is only an
// error when it is tried on a name: existing configurations have patterns that never get that far. When
// `stopped` says so, it ends. Cost: one pass over the directories that the pattern reaches for each ** that
// is not in a row with others, and a bounded number of steps of matching.  Thread-safety: pure function.
#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace xplan::eval {

enum class GlobStatus { Ok, BadPattern, TooComplex, Stopped };

// Matches a clean pattern, relative to base_dir unless absolute; results are as relative as the pattern is.
GlobStatus glob(std::string_view base_dir, std::string_view pattern, std::vector<std::string>& out,
                std::function<bool()> stopped = {});

}  // namespace xplan::eval
