// Runs testdata/eval/*.case; the format is described in README.md there.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "core/syntax/body.h"
#include "tests/unit/eval/scope.h"

namespace {
using namespace xplan;
namespace fs = std::filesystem;

struct Block {
  std::vector<std::string> before;  // comments and blank lines, as they are
  std::vector<std::string> expr;
  std::vector<std::string> answer;
};

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> out;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) out.push_back(line);
  return out;
}

void drop_blank_end(std::vector<std::string>& lines) {
  while (!lines.empty() && lines.back().empty()) lines.pop_back();
}

std::vector<Block> parse_blocks(const std::string& text) {
  std::vector<Block> blocks;
  std::vector<std::string> before;
  bool in_block = false;
  for (std::string& line : lines_of(text)) {
    if (line.rfind("> ", 0) == 0) {
      blocks.push_back({std::move(before), {line.substr(2)}, {}});
      before.clear();
      in_block = true;
    } else if (line.rfind(">> ", 0) == 0 && in_block && blocks.back().answer.empty()) {
      blocks.back().expr.push_back(line.substr(3));
    } else if (line.rfind("#", 0) == 0) {
      // Blank lines above a comment belong to it.
      if (in_block) {
        auto& answer = blocks.back().answer;
        while (!answer.empty() && answer.back().empty()) answer.pop_back(), before.push_back("");
      }
      in_block = false;
      before.push_back(line);
    } else if (in_block) {
      blocks.back().answer.push_back(line.rfind("\\", 0) == 0 ? line.substr(1) : line);
    } else {
      before.push_back(line);
    }
  }
  for (Block& b : blocks) drop_blank_end(b.answer);
  return blocks;
}

std::string join(const std::vector<std::string>& lines) {
  std::string out;
  for (const auto& line : lines) out += line + "\n";
  return out;
}

std::string on_one_line(std::string s) {
  for (size_t i = 0; (i = s.find('\n', i)) != std::string::npos; i += 2) s.replace(i, 1, "\\n");
  return s;
}

std::vector<std::string> answer_to(const std::string& expr, const eval::Scope& scope) {
  SourceTable sources;
  Diagnostics diags;
  const syntax::Expr* e = nullptr;
  auto file = syntax::parse_expression(sources, "case", expr, e, diags);
  Value v;
  if (e && !diags.has_errors()) v = eval::evaluate(*e, scope, diags);
  std::vector<std::string> out;
  if (!diags.has_errors()) {
    out = lines_of(eval::console_text(v));
    drop_blank_end(out);
    return out;
  }
  for (const Diagnostic& d : diags.all()) {
    out.push_back("! " + d.summary + ": " + on_one_line(d.detail));
    ResolvedRange where;
    if (sources.resolve(d.subject, where) && where.text != expr)
      out.push_back("!   at: " + on_one_line(std::string(where.text)));
    for (const auto& [name, statement] : d.values)
      out.push_back("!   " + name + " " + on_one_line(statement));
  }
  return out;
}

bool same_answer(const std::vector<std::string>& want, const std::vector<std::string>& got) {
  if (want.size() == 1 && want[0] == "!") return !got.empty() && got[0].rfind("! ", 0) == 0;
  return want == got;
}

void run_file(const fs::path& path, eval::FunctionTable& functions, const eval::Scope& scope) {
  std::ifstream in(path);
  std::stringstream text;
  text << in.rdbuf();
  std::vector<Block> blocks = parse_blocks(text.str());
  const char* accept = std::getenv("XPLAN_ACCEPT");
  bool accepting = accept && *accept && std::string(accept) != "0";
  std::string rewritten;
  bool changed = false;
  for (Block& b : blocks) {
    for (const auto& line : b.before) {
      if (line == "#pure") functions.pure = true, functions.now.clear();
      if (line == "#unpure") functions.pure = false, functions.now = "2024-05-06T07:08:09Z";
    }
    std::string expr = join(b.expr);
    expr.pop_back();
    auto got = answer_to(expr, scope);
    bool same = same_answer(b.answer, got);
    if (!accepting && !same) {
      INFO(path.filename().string() << "\n> " << expr);
      CHECK(join(b.answer) == join(got));
    }
    changed |= !same;
    rewritten += join(b.before);
    for (size_t i = 0; i < b.expr.size(); ++i) rewritten += (i ? ">> " : "> ") + b.expr[i] + "\n";
    bool error = !got.empty() && got[0].rfind("! ", 0) == 0;
    for (const auto& line : same ? b.answer : got) {
      bool escape = !error && !line.empty() && std::string(">#!\\").find(line[0]) != std::string::npos;
      rewritten += (escape ? "\\" : "") + line + "\n";
    }
  }
  functions.pure = false, functions.now = "2024-05-06T07:08:09Z";
  if (accepting && changed) {
    std::ofstream(path) << rewritten;
    FAIL(path.filename().string() << ": accepted, review the diff");
  }
  if (!accepting) SUCCEED(blocks.size());
}
}  // namespace

TEST_CASE("expression cases") {
  eval::FunctionTable functions;
  eval::register_core_functions(functions);
  eval::register_builtin_provider_functions(functions, "terraform");
  eval::Function type;
  type.name = "type";
  type.params.push_back({"value", Type::dynamic(), true, true, true, true});
  functions.add(type);
  functions.base_dir = std::string(TESTDATA) + "/eval/files";
  functions.template_depth = 3;
  functions.now = functions.plan_time = "2024-05-06T07:08:09Z";
  eval::NamesScope scope = eval::test_scope(functions);
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(std::string(TESTDATA) + "/eval"))
    if (entry.path().extension() == ".case") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  REQUIRE(!files.empty());
  for (const auto& path : files) {
    SECTION(path.stem().string()) {
      run_file(path, functions, scope);
    }
  }
}
