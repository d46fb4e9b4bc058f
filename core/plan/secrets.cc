// Collects the secret strings of a value and replaces them in messages.
#include "core/plan/secrets.h"

#include <cctype>
#include <string_view>

#include "core/plan/objects.h"

namespace xplan {
namespace {

constexpr std::string_view kShown = "(sensitive value)";
constexpr size_t kShort = 4;  // bytes; shorter ones are parts of many words

void collect(const Value& v, bool secret, TextFinder& out) {
  secret |= v.marks() != 0;
  if (!secret && !v.contains_marks()) return;
  switch (v.kind()) {
    case Kind::Str:
      out.add(std::string(v.as_string()), {});
      break;
    case Kind::Seq:
    case Kind::Set:
    case Kind::Map:
    case Kind::Obj:
      for (const Value& e : v.elements()) collect(e, secret, out);
      break;
    case Kind::Null:
    case Kind::Unknown:
    case Kind::Bool:
    case Kind::Int:
    case Kind::Num:
    case Kind::TypeVal:
      break;  // numbers are everywhere: those of a message are rarely the secret one
  }
}

bool in_word(std::string_view text, size_t at) {
  return at < text.size() && (static_cast<unsigned char>(text[at]) >= 0x80 || isalnum(text[at]));
}

void replace_all(std::string& text, const TextFinder& secrets) {
  std::string out;
  size_t from = 0;
  secrets.find(
      text, 0, text.size(),
      [&](size_t at, size_t size, std::string_view) {
        out.append(text, from, at - from).append(kShown);
        from = at + size;
      },
      [&](size_t at, size_t size) {
        return size >= kShort || (!in_word(text, at - 1) && !in_word(text, at + size));
      });
  if (from) text = out.append(text, from);
}

}  // namespace

Secrets::Secrets(const Value& told) {
  collect(told, false, texts_);
}

std::string Secrets::hide(std::string text) const {
  if (!texts_.empty()) replace_all(text, texts_);
  return text;
}

std::string without_secrets(const Value& told, std::string text) {
  return Secrets(told).hide(std::move(text));
}

void hide_secrets(const Value& told, const schema::Block& schema, Diagnostics& diags) {
  if (diags.empty() || told.is_null() || !told.is_known()) return;
  const Value marked = apply_marks(told, {}, schema);
  TextFinder secrets;
  collect(marked, false, secrets);
  if (secrets.empty()) return;
  for (Diagnostic& d : diags.mutable_all()) {
    replace_all(d.summary, secrets);
    replace_all(d.detail, secrets);
  }
}

}  // namespace xplan
