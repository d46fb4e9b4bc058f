// Every file in testdata/syntax/{valid,invalid} is a test: NAME.tf or NAME.tf.json beside NAME….dump or
// ….diag. XPLAN_ACCEPT=1 rewrites the expectations, and then fails so that nobody passes by accepting.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/support/folder.h"
#include "tests/unit/syntax/dump.h"

using namespace xplan;
using namespace xplan::syntax;
namespace fs = std::filesystem;

namespace {

std::vector<fs::path> inputs(const char* folder) {
  std::vector<fs::path> found;
  for (const auto& entry : fs::directory_iterator(fs::path(TESTDATA) / "syntax" / folder)) {
    std::string ext = entry.path().extension().string();
    if (ext == ".tf" || ext == ".json") found.push_back(entry.path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

void compare(const fs::path& input, const char* extension, const std::string& got) {
  fs::path expected = input.string() + extension;
  if (std::getenv("XPLAN_ACCEPT")) {
    if (xplan::test::file_text(expected) == got) return;
    std::ofstream(expected, std::ios::binary) << got;
    FAIL_CHECK(expected.filename().string() + ": accepted, review the diff");
    return;
  }
  INFO(input.filename().string());
  CHECK(got == xplan::test::file_text(expected));
}

// What must hold of every tree, whatever it says.
void check_tree(const File& file, const Expr& root) {
  walk(root, [&](const Expr& e) {
    bool ranges = e.range.begin >= file.base && e.range.begin <= e.range.end &&
                  e.range.end <= file.base + file.text.size();
    auto inside = [&](const Expr* c) {
      if (!c) return;
      ranges &= c->range.begin >= e.range.begin && c->range.end <= e.range.end;
      ranges &= c->height < e.height;
    };
    inside(e.a), inside(e.b), inside(e.c), inside(e.d);
    for (const Expr* c : e.items) inside(c);
    if (!ranges) FAIL_CHECK("range or height of " + dump(e, file.base));
    if (e.kind == ExprKind::Traversal) {
      Range r = e.traversal->root_range;
      CHECK(file.text.substr(r.begin - file.base, r.end - r.begin) == e.traversal->root.sv());
    }
  });
}

void check_body(const File& file, const Body& body) {
  for (const Attribute& a : body.attributes) check_tree(file, *a.expr);
  for (const Block* b : body.blocks) check_body(file, b->body);
}

}  // namespace

TEST_CASE("syntax: valid files give the expected trees") {
  for (const fs::path& input : inputs("valid")) {
    INFO(input.filename().string());
    SourceTable sources;
    Diagnostics diags;
    std::unique_ptr<File> file =
        parse_file(sources, input.filename().string(), xplan::test::file_text(input), diags);
    std::string got = dump_file(*file, diags);
    take_late(*file, diags);
    CHECK(dump_diagnostics(sources, diags) == "");
    check_body(*file, file->body);
    compare(input, ".dump", got);
  }
}

TEST_CASE("syntax: invalid files give the expected diagnostics, and what could be understood") {
  for (const fs::path& input : inputs("invalid")) {
    SourceTable sources;
    Diagnostics diags;
    std::unique_ptr<File> file =
        parse_file(sources, input.filename().string(), xplan::test::file_text(input), diags);
    std::string tree = dump_file(*file, diags);
    take_late(*file, diags);
    CHECK(diags.has_errors());
    std::string got = dump_diagnostics(sources, diags) + "left:";
    std::istringstream lines(tree);
    for (std::string line; std::getline(lines, line);) {
      if (line.empty()) continue;
      size_t end = line.find_first_of("@=", line.find_first_not_of(' '));
      got += (line[0] == ' ' ? " ." : "\n  ") +
             line.substr(line.find_first_not_of(' '), end - line.find_first_not_of(' '));
    }
    compare(input, ".diag", got + "\n");
  }
}
