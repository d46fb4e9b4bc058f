// The entry points of the parser: files, single expressions and templates, traversals; and reading an
// expression as an address, a keyword or a list.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "core/base/conflict.h"
#include "core/base/utf8.h"
#include "core/syntax/json_syntax.h"
#include "core/syntax/parser.h"

namespace xplan::syntax {
namespace {

constexpr std::string_view kBom = "\xEF\xBB\xBF";

// What messages call a text of this name: not all are files.
std::string_view noun(const File& file) {
  return file.name.starts_with('<') || file.name == "TF_ENCRYPTION" ? "text" : "file";
}

// Registers the text. Bytes that are not UTF-8 are replaced, so that everything behind can rely on
// well-formed text and positions stay. `bad`: where they are, for report_bytes().
std::unique_ptr<File> open(SourceTable& sources, std::string name, std::string text, Diagnostics& diags,
                           std::vector<size_t>& bad) {
  const bool wide = text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF");
  for (size_t i = 0; i < text.size();) {
    if (static_cast<unsigned char>(text[i]) < 0x80) {
      ++i;
      continue;
    }
    size_t n = utf8_length_at(text, i);
    if (n == 0) {
      bad.push_back(i);
      text[i] = '?';
      n = 1;
    }
    i += n;
  }
  auto file = std::make_unique<File>(name);
  if (wide) text.clear();  // one message says it all
  file->base = sources.add(std::move(name), std::move(text));
  file->text = sources.text_of(file->base);
  if (wide) {
    bad.clear();
    diags.error("Invalid character encoding",
                "The file is encoded in UTF-16, but it must be encoded in UTF-8. Save the file as UTF-8.",
                {file->base, file->base});
  }
  return file;
}

// The first place in detail.
void report_bytes(const File& file, const std::vector<size_t>& bad, Diagnostics& diags) {
  if (bad.empty()) return;
  const uint32_t at = file.base + static_cast<uint32_t>(bad[0]);
  diags.error("Invalid character encoding",
              fmt::format("The {} must be encoded in UTF-8, but {} not valid.{}", noun(file),
                          bad.size() == 1 ? "1 byte is" : fmt::format("{} bytes are", bad.size()),
                          noun(file) == "file" ? " Save the file as UTF-8." : ""),
              {at, at + 1});
}

// What is wrong on a line with bytes that were replaced follows from them, or cannot be told.
void append_others(const File& file, const std::vector<size_t>& bad, Diagnostics&& found,
                   Diagnostics& diags) {
  report_bytes(file, bad, diags);
  if (bad.empty()) return diags.append(std::move(found));
  for (Diagnostic& d : found.mutable_all()) {
    const size_t at = std::min<size_t>(d.subject.begin - file.base, file.text.size());
    const size_t begin = at == 0 ? 0 : file.text.rfind('\n', at - 1) + 1, end = file.text.find('\n', at);
    const auto next = std::lower_bound(bad.begin(), bad.end(), begin);
    if (next == bad.end() || *next >= end) diags.add(std::move(d));
  }
}

size_t start_of(std::string_view text) {
  return text.substr(0, kBom.size()) == kBom ? kBom.size() : 0;
}

// `lines`: those of the markers, with the word before them.
std::string conflict_detail(bool first, const std::string& lines) {
  if (!first) return "This is another conflict, with markers in " + lines + ".";
  return "Version control could not merge two versions of this file. It marked where they differ with lines "
         "that begin with <<<<<<<, ======= and >>>>>>> (" +
         lines + "). Resolve each conflict, and remove the lines with the markers.";
}

// Of a file that cannot be read: what else is wrong with it follows from the markers. With both versions of
// everything between them, nothing in it can be used. One error a conflict; the first says what to do.
bool report_conflicts(File& file, Diagnostics& diags) {
  const std::vector<size_t> markers = conflict_markers(file.text);
  const auto text = file.text.begin();
  int64_t line = 1, counted = 0;
  std::string lines;
  for (size_t i = 0, first = 0; i < markers.size(); ++i) {
    const auto at = static_cast<int64_t>(markers[i]);
    line += std::count(text + counted, text + at, '\n');
    counted = at;
    const bool last = i + 1 == markers.size() || file.text[markers[i + 1]] == '<';
    const char* before = i != first ? last ? " and " : ", " : last ? "line " : "lines ";
    lines += before + std::to_string(line);
    if (!last) continue;
    const size_t begin = markers[first];
    const size_t end = std::min(file.text.find_first_of("\r\n", begin), file.text.size());
    diags.error("Unresolved merge conflict", conflict_detail(first == 0, lines),
                {file.base + static_cast<uint32_t>(begin), file.base + static_cast<uint32_t>(end)});
    first = i + 1;
    lines.clear();
  }
  return !markers.empty();
}

const Traversal* only_traversal(const Expr& e, Diagnostics& diags) {
  if (e.kind == ExprKind::Traversal) return e.traversal;
  bool unreadable = e.kind == ExprKind::Literal && e.value.is_unknown();  // has been reported
  if (!unreadable)
    diags.error("Invalid reference",
                e.kind == ExprKind::Index || e.kind == ExprKind::Splat
                    ? "An address is expected here. Its indexes must be literal numbers or strings, because "
                      "it is read before anything is evaluated."
                    : "An address is expected here: names with dots and literal indexes, such as "
                      "type.name[\"key\"]. Operators, function calls and templates are not allowed, because "
                      "it is read before anything is evaluated.",
                e.range);
  return nullptr;
}

}  // namespace

std::unique_ptr<File> parse_native(SourceTable& sources, std::string name, std::string text,
                                   Diagnostics& diags) {
  Parser::Places replaced;
  std::unique_ptr<File> file = open(sources, std::move(name), std::move(text), diags, replaced.at);
  replaced.in_comment.resize(replaced.at.size());
  size_t start = start_of(file->text);
  Diagnostics first_try;
  Parser parser(*file, {file->text, file->base, nullptr}, first_try);
  if (!replaced.at.empty()) parser.look_for(replaced);
  file->body = parser.file_body(start, false);
  if (parser.unclosed()) {
    // A missing brace swallows the rest of the file. On a second try, blocks end where a line looks like a
    // new top-level block; that is kept when it leaves no more errors.
    Diagnostics second_try;
    Body body = Parser(*file, {file->text, file->base, nullptr}, second_try).file_body(start, true);
    if (second_try.error_count() <= first_try.error_count()) {
      file->body = std::move(body);
      first_try = std::move(second_try);
    }
  }
  if (first_try.has_errors() && report_conflicts(*file, diags)) {
    file->body = Body();
    file->body.file = file.get();
    return file;
  }
  // Nobody reads comments, and old ones are often in another encoding.
  std::vector<size_t> bad;
  for (size_t i = 0; i < replaced.at.size(); ++i)
    if (!replaced.in_comment[i]) bad.push_back(replaced.at[i]);
  append_others(*file, bad, std::move(first_try), diags);
  return file;
}

std::unique_ptr<File> parse_json(SourceTable& sources, std::string name, std::string text,
                                 Diagnostics& diags) {
  const size_t errors = diags.error_count();
  std::vector<size_t> bad;
  std::unique_ptr<File> file = open(sources, std::move(name), std::move(text), diags, bad);
  file->json = true;
  report_bytes(*file, bad, diags);
  uint32_t end = file->base + static_cast<uint32_t>(file->text.size());
  file->body.file = file.get();
  file->body.range = {file->base, end};
  if (file->text.empty() && diags.error_count() != errors) return file;
  if (start_of(file->text) > 0) {
    diags.error(
        "Invalid JSON",
        "The file begins with a byte order mark, which JSON does not allow. Save it as UTF-8 without one.",
        {file->base, file->base + 1});
    return file;
  }
  JsonError error;
  file->document = JsonDocument::parse(file->text, error);
  if (!file->document) {
    if (report_conflicts(*file, diags)) return file;
    uint32_t at = file->base + static_cast<uint32_t>(std::min<size_t>(error.offset, end - file->base));
    Diagnostics found;
    found.error("Invalid JSON",
                fmt::format("The {} is not valid JSON: {}. None of it is used until this is corrected.",
                            noun(*file), error.message),
                {at, std::min(at + 1, end)});
    if (bad.empty()) diags.append(std::move(found));
    return file;
  }
  const JsonNode& root = file->document->root();
  auto add = [&](const JsonNode& n) {
    if (n.is_object())
      file->body.objects.push_back(&n);
    else
      diags.error("Incorrect JSON value type",
                  "A configuration in JSON must be an object, or an array of objects.", json_range(*file, n));
  };
  if (root.is_array())
    for (const JsonNode* item : root.items) add(*item);
  else
    add(root);
  file->body.range = json_range(*file, root);
  return file;
}

std::unique_ptr<File> parse_file(SourceTable& sources, std::string name, std::string text,
                                 Diagnostics& diags) {
  bool json = name.size() >= 5 && std::string_view(name).substr(name.size() - 5) == ".json";
  return json ? parse_json(sources, std::move(name), std::move(text), diags)
              : parse_native(sources, std::move(name), std::move(text), diags);
}

std::unique_ptr<File> parse_expression(SourceTable& sources, std::string name, std::string text,
                                       const Expr*& out, Diagnostics& diags) {
  std::vector<size_t> bad;
  std::unique_ptr<File> file = open(sources, std::move(name), std::move(text), diags, bad);
  Diagnostics found;
  out = Parser(*file, {file->text, file->base, nullptr}, found).whole_expression(start_of(file->text));
  append_others(*file, bad, std::move(found), diags);
  return file;
}

std::unique_ptr<File> parse_template(SourceTable& sources, std::string name, std::string text,
                                     const Expr*& out, Diagnostics& diags) {
  std::vector<size_t> bad;
  std::unique_ptr<File> file = open(sources, std::move(name), std::move(text), diags, bad);
  Diagnostics found;
  out = Parser(*file, {file->text, file->base, nullptr}, found).whole_template(start_of(file->text));
  append_others(*file, bad, std::move(found), diags);
  return file;
}

std::unique_ptr<File> parse_traversal(SourceTable& sources, std::string name, std::string text,
                                      const Traversal*& out, Diagnostics& diags) {
  const Expr* e = nullptr;
  std::unique_ptr<File> file = parse_expression(sources, std::move(name), std::move(text), e, diags);
  out = only_traversal(*e, diags);
  return file;
}

const Expr* as_expression(const File& file, const Expr& e, Diagnostics& diags) {
  if (!e.json || !e.json->is_string()) return &e;
  JsonText text(file, *e.json);
  std::lock_guard guard(file.arena->lock);
  return Parser(const_cast<File&>(file), text.text, diags).whole_expression();
}

const Traversal* as_traversal(const File& file, const Expr& e, Diagnostics& diags) {
  if (e.json) return only_traversal(*as_expression(file, e, diags), diags);
  if (e.kind != ExprKind::Literal || !e.value.is_string() || e.heredoc) return only_traversal(e, diags);
  // A string: between quotes it is read with a warning; without them it is the bare key of an object.
  size_t begin = e.range.begin - file.base, end = e.range.end - file.base;
  bool quotes = file.text[begin] == '"' && end - begin >= 2;
  if (quotes) ++begin, --end;
  std::string_view s = file.text.substr(begin, end - begin);
  if (s.find('\\') != s.npos) {
    diags.error("Invalid reference", "An address is written without quotes and without escapes.", e.range);
    return nullptr;
  }
  if (quotes)
    diags.warn("Quoted reference",
               "A reference is written without quotes here. Quotes are accepted only for compatibility with "
               "old configurations; remove them.",
               e.range);
  const Expr* inner;
  {
    std::lock_guard guard(file.arena->lock);
    inner = Parser(const_cast<File&>(file), {s, file.base + static_cast<uint32_t>(begin), nullptr}, diags)
                .whole_expression();
  }
  return only_traversal(*inner, diags);
}

Symbol as_keyword(const Expr& e) {
  if (e.kind == ExprKind::Traversal && e.traversal->steps.empty()) return e.traversal->root;
  if (e.kind == ExprKind::Literal && e.json && e.value.is_string() && valid_identifier(e.value.as_string()))
    return Symbol(e.value.as_string());
  return {};
}

bool as_list(const Expr& e, std::vector<const Expr*>& out) {
  out.clear();
  if (e.kind != ExprKind::Tuple) return false;
  out.assign(e.items.begin(), e.items.end());
  return true;
}

}  // namespace xplan::syntax
