// Masks secrets in the texts of a configuration, guided by its syntax tree.
#include "core/review/redact_sources.h"

#include <algorithm>

#include "core/syntax/lexer.h"

namespace xplan::review {
namespace {

using syntax::Expr;
using syntax::ExprKind;

bool names_secrets(std::string_view block_or_member) {
  return block_or_member == "backend" || block_or_member == "cloud" || block_or_member == "encryption" ||
         block_or_member == "connection";
}

// The literal parts of a template in a JSON string: what is outside of ${…} and %{…}, and between the quotes
// inside of them.
std::vector<std::pair<size_t, size_t>> parts_of_template(std::string_view text, size_t begin, size_t end) {
  std::vector<std::pair<size_t, size_t>> out;
  size_t from = begin;
  int depth = 0;
  bool quoted = false;
  for (size_t i = begin; i < end; ++i) {
    const bool opens = (text[i] == '$' || text[i] == '%') && i + 1 < end && text[i + 1] == '{';
    if (depth == 0) {
      if (!opens || (i > begin && text[i - 1] == text[i])) continue;
      if (i > from) out.push_back({from, i});
      depth = 1;
      ++i;
    } else if (text[i] == '\\' && i + 1 < end) {
      if (text[i + 1] == '"') {
        if (quoted && i > from) out.push_back({from, i});
        quoted = !quoted;
        from = i + 2;
      }
      ++i;
    } else if (!quoted && text[i] == '{') {
      ++depth;
    } else if (!quoted && text[i] == '}' && --depth == 0) {
      from = i + 1;
    }
  }
  if (depth == 0 && end > from) out.push_back({from, end});
  return out;
}

// What stands between the quotes, or between the first and the last line of a heredoc.
std::pair<size_t, size_t> inside(std::string_view text, size_t begin, size_t end) {
  if (text[begin] == '"') return {begin + 1, end > begin + 1 ? end - 1 : begin + 1};
  const size_t first = text.find('\n', begin);
  if (first >= end) return {end, end};
  size_t last = text.rfind('\n', end - 1);
  if (last == end - 1 && last > first) last = text.rfind('\n', last - 1);  // the line's end is part of it
  return {first + 1, std::max(first + 1, last)};
}

// What stands for each byte of a secret until all are found: no source contains these.
constexpr char kHidden = '\x01', kHiddenNumber = '\x02';

// With the same text for every secret, whatever its length.
std::string shortened(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (size_t i = 0; i < text.size();) {
    const char c = text[i];
    if (c != kHidden && c != kHiddenNumber) {
      out += c, ++i;
      continue;
    }
    out += c == kHidden ? "********" : "1";
    i = std::min(text.find_first_not_of(c, i), text.size());
  }
  return out;
}

bool opens_literal(std::string_view text, size_t at) {
  return text[at] == '"' || (text[at] == '<' && at + 1 < text.size() && text[at + 1] == '<');
}

// Of a variable or an output: its default, or its value, is secret.
bool makes_secret(std::string_view member) {
  return member == "sensitive" || member == "ephemeral";
}
bool is_secret_then(std::string_view member) {
  return member == "default" || member == "value";
}

bool is_true(const syntax::Attribute& a) {
  return makes_secret(a.name.sv()) && a.expr && a.expr->kind == ExprKind::Literal && a.expr->value.is_true();
}

// "sensitive" or "core::sensitive".
bool calls_sensitive(std::string_view function) {
  return function == "sensitive" || function.ends_with("::sensitive");
}

}  // namespace

std::string masked_source(std::string source) {
  mask_address(source, 0, source.size(), kHidden);
  return shortened(source);
}

SourceMask::SourceMask(const config::Config& config, const SecretTexts& secrets) : secrets_(secrets) {
  for (const auto& module : config.modules) {
    for (const config::Resource& r : module->resources)
      if (r.schema) take_body(r.content, r.schema->block);
    Diagnostics told_when_planning;
    for (const config::ProviderConfig& p : module->providers)
      if (p.schema)
        take_body(syntax::decode(p.body, p.schema->block.dynamic_body_schema(), told_when_planning),
                  p.schema->block);
  }
  for (const config::Node* n : config.nodes) {
    if (!n->call) continue;
    for (const syntax::Attribute& a : n->call->arguments)
      if (const int i = n->module->find_variable(a.name);
          i >= 0 && (n->module->variables[i].sensitive || n->module->variables[i].ephemeral))
        take(a);
  }
}

void SourceMask::take(const syntax::Attribute& a) {
  if (a.expr) sensitive_.insert(a.expr);
  if (a.json) sensitive_.insert(a.json);
  if (a.expr && a.expr->json) sensitive_.insert(a.expr->json);
}

void SourceMask::take_body(const syntax::Content& content, const schema::Block& block) {
  for (const syntax::Attribute& a : content.attributes) {
    const schema::Attribute* declared = block.find_attribute(a.name.sv());
    if (declared && (declared->sensitive || declared->write_only)) take(a);
  }
  Diagnostics told_when_planning;
  for (const syntax::Block& b : content.blocks)
    if (const schema::NestedBlock* nested = block.find_block(b.type.sv()))
      take_body(syntax::decode(b.body, nested->block->dynamic_body_schema(), told_when_planning),
                *nested->block);
}

std::string SourceMask::masked(const syntax::File& file) const {
  for (const bool all : {false, true}) {
    std::string text(file.text);
    if (!file.document)
      mask_native(file, all, text);
    else
      mask_json(file.document->root(), all, text);
    // The beginning of a secret can be the end of an escape: then nothing is left of the literals.
    SourceTable scratch;
    Diagnostics mistakes;
    text = shortened(text);
    syntax::parse_file(scratch, file.name, text, mistakes);
    if (!mistakes.has_errors()) return text;
  }
  return {};
}

void SourceMask::mask_part(std::string& text, size_t begin, size_t end, bool whole) const {
  if (whole) return fill(text, begin, end, kHidden);
  mask_users(text, begin, end, kHidden);
  secrets_.find(text, begin, end,
                [&](size_t at, size_t size, std::string_view) { fill(text, at, at + size, kHidden); });
}

namespace {

// The environment of commands; settings of the backend of another state.
bool has_secrets(const syntax::Block& b, std::string_view argument) {
  const bool state = b.labels.size() == 2 && b.labels[0].sv() == "terraform_remote_state";
  return b.type.sv() == "provisioner" ? argument == "environment" : state && argument == "config";
}

struct Literals {
  struct Part {
    size_t begin, end;
    bool whole, number = false, address = false;
  };
  std::vector<Part> parts;                       // what may be masked
  std::vector<std::pair<size_t, size_t>> texts;  // quotes and heredocs with all that is in them
};

// Literals of an expression, those in the literal parts of templates among them.
void find_literals(const Expr& root, bool whole, const syntax::File& file, Literals& out,
                   bool address = false) {
  std::unordered_set<const Expr*> in_template;
  syntax::walk(root, [&](const Expr& e) {
    if (!e.range.valid() || e.range.begin < file.base) return;
    const size_t begin = e.range.begin - file.base, end = e.range.end - file.base;
    if (end > file.text.size() || begin >= end) return;
    const bool opens = !in_template.count(&e) && opens_literal(file.text, begin);
    if (opens) out.texts.push_back({begin, end});
    if (e.kind == ExprKind::Template) {
      for (const Expr* part : e.items) in_template.insert(part);
    } else if (e.kind == ExprKind::Call && calls_sensitive(e.name.sv())) {
      for (const Expr* argument : e.items) find_literals(*argument, true, file, out);
    } else if (e.kind == ExprKind::Literal && e.value.is_number() && whole) {
      out.parts.push_back({begin, end, true, true});
    } else if (e.kind == ExprKind::Literal && e.value.is_string()) {
      if (opens) {
        const auto [from, to] = inside(file.text, begin, end);
        out.parts.push_back({from, to, whole, false, address});
      } else if (in_template.count(&e)) {
        out.parts.push_back({begin, end, whole, false, address});
      }
    }
  });
}

void find_literals(const syntax::Body& body, bool whole, const std::unordered_set<const void*>& sensitive,
                   const syntax::File& file, Literals& out) {
  const bool secret =
      std::any_of(body.attributes.begin(), body.attributes.end(), [](auto& a) { return is_true(a); });
  for (const syntax::Attribute& a : body.attributes)
    if (a.expr)
      find_literals(*a.expr, whole || sensitive.count(a.expr) || (secret && is_secret_then(a.name.sv())),
                    file, out, a.name.sv() == "source");
  for (const syntax::Block* b : body.blocks) {
    find_literals(b->body, whole || names_secrets(b->type.sv()), sensitive, file, out);
    for (const syntax::Attribute& a : b->body.attributes)
      if (a.expr && has_secrets(*b, a.name.sv())) find_literals(*a.expr, true, file, out);
  }
}

}  // namespace

void SourceMask::mask_native(const syntax::File& file, bool whole, std::string& text) const {
  Literals found;
  find_literals(file.body, whole, sensitive_, file, found);
  std::sort(found.texts.begin(), found.texts.end());
  // Between two tokens there are whitespace and comments.
  auto literal = found.texts.begin();
  for (size_t i = 0; i < file.text.size();) {
    const syntax::Token t = syntax::scan(file.text, i, true);
    for (size_t gap = i; gap < t.begin; ++gap)
      if (!std::isspace(static_cast<unsigned char>(text[gap]))) text[gap] = ' ';
    if (t.kind == syntax::Tok::End) break;
    i = std::max(t.end, i + 1);
    while (literal != found.texts.end() && literal->first < t.begin) ++literal;
    if (literal != found.texts.end() && literal->first == t.begin)
      i = std::max(i, literal->second);
    else if (t.kind == syntax::Tok::Quote)  // a label, or an index
      for (bool escaped = false; i < file.text.size(); ++i) {
        if (!escaped && file.text[i] == '"') {
          ++i;
          break;
        }
        escaped = !escaped && file.text[i] == '\\';
      }
  }
  for (const Literals::Part& p : found.parts) {
    if (p.address) mask_address(text, p.begin, p.end, kHidden);
    p.number ? fill(text, p.begin, p.end, kHiddenNumber) : mask_part(text, p.begin, p.end, p.whole);
  }
}

void SourceMask::mask_json(const JsonNode& node, bool whole, std::string& text,
                           std::string_view within) const {
  whole = whole || sensitive_.count(&node);
  if (whole && node.is_number()) return fill(text, node.begin, node.end, kHiddenNumber);
  if (node.is_string()) {
    const bool call = node.str().find("sensitive(") != std::string_view::npos;
    for (const auto& [begin, end] : parts_of_template(text, node.begin + 1, node.end - 1))
      mask_part(text, begin, end, whole || call);
    return;
  }
  for (const JsonNode* item : node.items) mask_json(*item, whole, text, within);
  bool secret = false;
  for (const JsonMember& m : node.members) secret |= makes_secret(m.key) && m.value->is_true();
  for (const JsonMember& m : node.members) {
    const bool group = m.key == "provisioner" || m.key == "terraform_remote_state";
    const bool settings = (within == "provisioner" && m.key == "environment") ||
                          (within == "terraform_remote_state" && m.key == "config");
    if (m.key == "source" && m.value->is_string())
      mask_address(text, m.value->begin + 1, m.value->end - 1, kHidden);
    mask_json(*m.value,
              whole || settings || names_secrets(m.key) || m.key == "//" || (secret && is_secret_then(m.key)),
              text, group ? std::string_view(m.key) : within);
  }
}

}  // namespace xplan::review
