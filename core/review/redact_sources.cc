// Masks secrets in the texts of a configuration, guided by its syntax tree.
#include "core/review/redact_sources.h"

#include <algorithm>

#include "core/review/source_words.h"
#include "core/syntax/lexer.h"

namespace xplan::review {
namespace {

using syntax::ExprKind;

// With the same text for every secret, whatever its length. Keys differ, since they must.
std::string shortened(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  size_t keys = 0;
  for (size_t i = 0; i < text.size();) {
    const char c = text[i];
    if (c < kHidden || c > kHiddenNameInJson) {
      out += c, ++i;
      continue;
    }
    i = std::min(text.find_first_not_of(c, i), text.size());
    if (c == kHiddenNumber) {
      out += "1";
      continue;
    }
    const std::string_view quote = c == kHiddenName ? "\"" : c == kHiddenNameInJson ? "\\\"" : "";
    out.append(quote).append("********");
    if (c >= kHiddenKey && ++keys > 1) out += std::to_string(keys);
    out += quote;
  }
  return out;
}

bool is_true(const syntax::Attribute& a) {
  return makes_secret(a.name.sv()) && a.expr && a.expr->kind == ExprKind::Literal && a.expr->value.is_true();
}

// Of a schema's argument or a variable: it may say which names a value has.
Secrecy secret(Type declared, bool literal = false) {
  return {Secrecy::All, declared, literal};
}

}  // namespace

std::string masked_source(std::string source) {
  mask_address(source, 0, source.size(), kHidden);
  return shortened(source);
}

SourceMask::SourceMask(const config::Config& config, const SecretTexts& secrets) : secrets_(secrets) {
  for (const auto& module : config.modules) {
    take_declarations(*module);
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
        take(a, secret(n->module->variables[i].type.type));
  }
}

// Values of outputs, and defaults, whichever file says that they are secret.
void SourceMask::take_declarations(const config::Module& module) {
  static const syntax::BodySchema kDeclarations{{}, {{"variable", {"name"}}, {"output", {"name"}}}},
      kOfVariable{{{"default", false, true}}, {}}, kOfOutput{{{"value"}}, {}};
  Diagnostics told_when_loading;
  for (const auto& file : module.files)
    for (const syntax::Block& b :
         syntax::decode_partial(file->body, kDeclarations, nullptr, told_when_loading).blocks) {
      const bool variable = b.type.sv() == "variable";
      const int i = variable ? module.find_variable(b.labels[0]) : module.find_output(b.labels[0]);
      if (i < 0) continue;
      const bool hides = variable ? module.variables[i].sensitive || module.variables[i].ephemeral
                                  : module.outputs[i].sensitive || module.outputs[i].ephemeral;
      const syntax::Content content =
          syntax::decode_partial(b.body, variable ? kOfVariable : kOfOutput, nullptr, told_when_loading);
      for (const syntax::Attribute& a : content.attributes)
        if (hides) take(a, secret(variable ? module.variables[i].type.type : Type::dynamic(), variable));
    }
}

void SourceMask::take(const syntax::Attribute& a, const Secrecy& secrecy) {
  if (a.expr) sensitive_.emplace(a.expr, secrecy);
  if (a.json) sensitive_.emplace(a.json, secrecy);
  if (a.expr && a.expr->json) sensitive_.emplace(a.expr->json, secrecy);
}

void SourceMask::take_body(const syntax::Content& content, const schema::Block& block) {
  for (const syntax::Attribute& a : content.attributes) {
    const schema::Attribute* declared = block.find_attribute(a.name.sv());
    if (declared && (declared->sensitive || declared->write_only)) take(a, secret(declared->type));
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
      mask_json(file, file.document->root(), {all ? Secrecy::Values : Secrecy::Open}, text);
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

void find_in_body(const syntax::Body& body, const Secrecy& around, const SecretPlaces& sensitive,
                  const syntax::File& file, Literals& out) {
  const bool hides =
      std::any_of(body.attributes.begin(), body.attributes.end(), [](auto& a) { return is_true(a); });
  for (const syntax::Attribute& a : body.attributes) {
    if (!a.expr) continue;
    const Secrecy own = hides && is_secret_then(a.name.sv()) ? Secrecy{Secrecy::All} : around;
    find_literals(*a.expr, secrecy_of(sensitive, a.expr, own), file, out, a.name.sv() == "source");
  }
  for (const syntax::Block* b : body.blocks) {
    find_in_body(b->body, names_secrets(b->type.sv()) ? Secrecy{Secrecy::Values} : around, sensitive, file,
                 out);
    for (const syntax::Attribute& a : b->body.attributes)
      if (a.expr && has_secrets(*b, a.name.sv())) find_literals(*a.expr, {Secrecy::Values}, file, out);
  }
}

}  // namespace

void SourceMask::mask_native(const syntax::File& file, bool whole, std::string& text) const {
  Literals found;
  find_in_body(file.body, {whole ? Secrecy::Values : Secrecy::Open}, sensitive_, file, found);
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
  mask_literals(found, text, kHiddenName);
}

void SourceMask::mask_literals(const Literals& found, std::string& text, char name) const {
  for (const Literals::Part& p : found.parts) {
    if (p.address) mask_address(text, p.begin, p.end, kHidden);
    p.number ? fill(text, p.begin, p.end, kHiddenNumber) : mask_part(text, p.begin, p.end, p.whole);
  }
  for (const auto& [begin, end] : found.keys) fill(text, begin, end, kHiddenKey);
  for (const auto& [begin, end] : found.names) fill(text, begin, end, name);
  for (const auto& [begin, end] : found.blank) blank(text, begin, end);
}

}  // namespace xplan::review
