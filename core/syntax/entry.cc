// The entry points of the parser: files, single expressions and templates, traversals; and reading an
// expression as an address, a keyword or a list.
#include <fmt/format.h>

#include "core/base/utf8.h"
#include "core/syntax/json_syntax.h"
#include "core/syntax/parser.h"

namespace xplan::syntax {
namespace {

constexpr std::string_view kBom = "\xEF\xBB\xBF";

// Registers the text. Bytes that are not UTF-8 are reported (the first place in detail) and replaced, so that
// everything behind can rely on well-formed text and positions stay.
std::unique_ptr<File> open(SourceTable& sources, std::string name, std::string text, Diagnostics& diags) {
  size_t bad = 0, first = 0;
  for (size_t i = 0; i < text.size();) {
    if (static_cast<unsigned char>(text[i]) < 0x80) {
      ++i;
      continue;
    }
    size_t n = utf8_length_at(text, i);
    if (n == 0) {
      if (bad++ == 0) first = i;
      text[i] = '?';
      n = 1;
    }
    i += n;
  }
  auto file = std::make_unique<File>(name);
  file->base = sources.add(std::move(name), std::move(text));
  file->text = sources.text_of(file->base);
  if (bad > 0) {
    uint32_t at = file->base + static_cast<uint32_t>(first);
    diags.error(
        "Invalid character encoding",
        fmt::format("The file must be encoded in UTF-8, but {} byte{} not valid. Save the file as UTF-8.",
                    bad, bad == 1 ? " is" : "s are"),
        {at, at + 1});
  }
  return file;
}

size_t start_of(std::string_view text) {
  return text.substr(0, kBom.size()) == kBom ? kBom.size() : 0;
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
  std::unique_ptr<File> file = open(sources, std::move(name), std::move(text), diags);
  size_t start = start_of(file->text);
  Diagnostics first_try;
  Parser parser(*file, {file->text, file->base, nullptr}, first_try);
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
  diags.append(std::move(first_try));
  return file;
}

std::unique_ptr<File> parse_json(SourceTable& sources, std::string name, std::string text,
                                 Diagnostics& diags) {
  std::unique_ptr<File> file = open(sources, std::move(name), std::move(text), diags);
  file->json = true;
  uint32_t end = file->base + static_cast<uint32_t>(file->text.size());
  file->body.file = file.get();
  file->body.range = {file->base, end};
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
    uint32_t at = file->base + static_cast<uint32_t>(std::min<size_t>(error.offset, end - file->base));
    diags.error("Invalid JSON",
                fmt::format("The file is not valid JSON: {}. None of it is used until this is corrected.",
                            error.message),
                {at, std::min(at + 1, end)});
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
  std::unique_ptr<File> file = open(sources, std::move(name), std::move(text), diags);
  out = Parser(*file, {file->text, file->base, nullptr}, diags).whole_expression(start_of(file->text));
  return file;
}

std::unique_ptr<File> parse_template(SourceTable& sources, std::string name, std::string text,
                                     const Expr*& out, Diagnostics& diags) {
  std::unique_ptr<File> file = open(sources, std::move(name), std::move(text), diags);
  out = Parser(*file, {file->text, file->base, nullptr}, diags).whole_template(start_of(file->text));
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
