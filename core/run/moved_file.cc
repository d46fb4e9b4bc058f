// Puts moved blocks behind what a file has, and tries them before it is written.
#include "core/run/moved_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "core/base/atomic_file.h"
#include "core/config/moves_check.h"
#include "core/run/generated_config.h"
#include "core/syntax/body.h"
#include "core/syntax/pieces.h"

namespace xplan::run {
namespace {

// Behind the last piece of what there is, with the line breaks of that.
std::string with_blocks(const std::string& now, std::string blocks) {
  const std::vector<syntax::Piece> pieces = syntax::cut_pieces(now);
  const bool crlf = std::any_of(pieces.begin(), pieces.end(), [](const syntax::Piece& p) {
    return p.ends_line() && p.text.ends_with("\r\n");
  });
  const std::string_view line = crlf ? "\r\n" : "\n";
  std::string out = now;
  if (!out.empty() && !out.ends_with('\n')) out += line;
  if (!out.empty()) out += line;
  if (!crlf) return out + blocks;
  for (char c : blocks) out += c == '\n' ? std::string(line) : std::string(1, c);
  return out;
}

bool fail(Diagnostics& diags, std::string detail) {
  diags.error("Failed to write moved blocks", std::move(detail));
  return false;
}

}  // namespace

bool add_moved_blocks(const Context& c, const std::string& path, const std::string& blocks,
                      Diagnostics& diags) {
  if (const char* why = why_not_read(path))
    return fail(diags,
                fmt::format("Moved blocks in \"{}\" would have no effect, because {}. Choose another file "
                            "of the root module.",
                            path, why));
  const bool there = c.files.exists(path);
  const Result<std::string> now = there ? c.files.read(path) : std::string();
  if (!now) return fail(diags, now.error().sentence());
  SourceTable sources;
  Diagnostics found;
  syntax::parse_native(sources, path, *now, found);
  if (found.has_errors())
    return fail(diags,
                fmt::format("The file \"{}\" has syntax errors, so nothing can be added to it. Correct "
                            "them, or choose another file.",
                            path));
  const std::string text = with_blocks(*now, blocks);
  Configuration tried(c);
  const bool loaded = tried.load_with(clean_path(path), text);
  if (loaded) {
    config::validate_moves(*tried, &c.sources, tried.problems());
    config::validate_removals(*tried, &c.sources, tried.problems());
  }
  if (tried.problems().has_errors()) {
    diags.append(std::move(tried.problems()));
    return fail(diags,
                fmt::format("With the moved blocks, the configuration would have these errors, so nothing "
                            "was written to \"{}\".",
                            path));
  }
  std::error_code ec;
  const std::string real = there ? std::filesystem::canonical(path, ec).string() : path;  // a link stays one
  const Result<void> written = there ? write_private(ec ? path : real, text) : write_atomic(path, text);
  return written || fail(diags, written.error().sentence());
}

}  // namespace xplan::run
