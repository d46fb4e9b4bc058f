// Pieces keep every byte; layout is settled after one pass, and keeps comments and meaning. What the layout
// is, is compared with the reference (testdata/oracle/fmt-*).
#include "core/syntax/format.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>

#include "core/syntax/body.h"
#include "core/syntax/pieces.h"
#include "tests/support/folder.h"

using namespace xplan;
using namespace xplan::syntax;
namespace fs = std::filesystem;

namespace {

std::string joined(std::string_view source) {
  std::string out;
  for (const Piece& p : cut_pieces(source)) out.append(p.blanks).append(p.text);
  return out;
}

bool valid(const std::string& text) {
  SourceTable sources;
  Diagnostics diags;
  parse_native(sources, "x.tf", text, diags);
  return !diags.has_errors();
}

size_t comments(std::string_view source) {
  const std::vector<Piece> pieces = cut_pieces(source);
  return static_cast<size_t>(std::count_if(pieces.begin(), pieces.end(), [](const Piece& p) {
    return p.is(PieceKind::Remark) || p.is(PieceKind::LineComment);
  }));
}

}  // namespace

TEST_CASE("format: every_file") {
  size_t formatted = 0;
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(TESTDATA))) {
    const std::string ext = entry.path().extension().string();
    if (ext != ".tf" && ext != ".tfvars" && ext != ".hcl") continue;
    const std::string text = test::file_text(entry.path());
    INFO(entry.path().string());
    CHECK(joined(text) == text);
    if (!valid(text)) continue;
    const std::string once = format_native(text);
    CHECK(valid(once));
    CHECK(format_native(once) == once);
    CHECK(comments(once) == comments(text));
    ++formatted;
  }
  CHECK(formatted > 300);
}

TEST_CASE("format: cut_off") {  // any text is pieces, wherever it ends
  const std::string text =
      "a \"b\" {\n c = \"${d[\"e\"]}%{ if f ~} \\\" $${\"\n g = <<-H\n ${i}\n H\n}\n/* j */ # k";
  for (size_t n = 0; n <= text.size(); ++n) CHECK(joined(text.substr(0, n)) == text.substr(0, n));
}

TEST_CASE("format: safer_than_the_reference") {
  struct Row {
    const char *about, *source, *result;
  };
  const Row rows[] = {
      {"comments between labels stay", "a /* b */ c {\n}\n", "a /* b */ \"c\" {\n}\n"},
      {"an expression of two lines stays one", "a = \"${(b)\n+ (c)}\"\n", "a = ((b)\n+ (c))\n"},
      {"once is enough", R"(a = "${"${b}"}")", "a = b"},
      {"a comment swallows no code", "a = \"${b # c\n+ d}\"\n", "a = \"${b # c\n+ d}\"\n"},
  };
  for (const Row& r : rows) {
    INFO(r.about);
    CHECK(format_native(r.source) == r.result);
    CHECK(valid(r.source) == valid(r.result));
  }
}
