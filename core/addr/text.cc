#include <utf8proc.h>

#include "core/addr/addr.h"
#include "core/base/utf8.h"

namespace xplan {
namespace {

// Letters, marks, numbers, punctuation and symbols, and the plain space, are shown as they are; everything else (line
// separators, format and control characters, other spaces) would be invisible in an address and is escaped.
bool printable(char32_t c) {
  if (c == ' ') return true;
  switch (utf8proc_category(static_cast<utf8proc_int32_t>(c))) {
    case UTF8PROC_CATEGORY_CN: case UTF8PROC_CATEGORY_ZS: case UTF8PROC_CATEGORY_ZL: case UTF8PROC_CATEGORY_ZP:
    case UTF8PROC_CATEGORY_CC: case UTF8PROC_CATEGORY_CF: case UTF8PROC_CATEGORY_CS: case UTF8PROC_CATEGORY_CO:
      return false;
    default:
      return true;
  }
}

void append_hex(std::string& out, char32_t c, int digits) {
  for (int shift = (digits - 1) * 4; shift >= 0; shift -= 4) out += "0123456789abcdef"[c >> shift & 15];
}

void append_quoted(std::string& out, std::string_view s) {
  out += '"';
  for (size_t i = 0; i < s.size();) {
    char c = s[i];
    if (static_cast<unsigned char>(c) >= 0x80) {
      size_t begin = i;
      char32_t cp = utf8_decode(s, i);
      if (printable(cp)) {
        out.append(s.substr(begin, i - begin));
      } else if (cp < 0x10000) {
        out += "\\u", append_hex(out, cp, 4);
      } else {
        out += "\\U", append_hex(out, cp, 8);
      }
      continue;
    }
    ++i;
    switch (c) {
      case '"': out += "\\\""; break;
      case '\\': out += "\\\\"; break;
      case '\n': out += "\\n"; break;
      case '\r': out += "\\r"; break;
      case '\t': out += "\\t"; break;
      case '$': case '%':  // the start of a template sequence is doubled
        out += c;
        if (i < s.size() && s[i] == '{') out += c;
        break;
      default:
        if (c < 0x20 || c == 0x7f) out += "\\u", append_hex(out, static_cast<unsigned char>(c), 4);
        else out += c;
    }
  }
  out += '"';
}

std::string with_module(const std::string& module, std::string rest) {
  return module.empty() ? rest : module + "." + rest;
}

}  // namespace

std::string InstanceKey::quoted(std::string_view s) {
  std::string out;
  append_quoted(out, s);
  return out;
}

std::string InstanceKey::text() const {
  switch (kind) {
    case Kind::None: return {};
    case Kind::Int: return "[" + std::to_string(number) + "]";
    case Kind::String: break;
  }
  std::string out = "[";
  append_quoted(out, string.sv());
  out += ']';
  return out;
}

Value InstanceKey::value() const {
  switch (kind) {
    case Kind::None: return Value::null();
    case Kind::Int: return Value::number(number);
    case Kind::String: break;
  }
  return Value::string(string.sv());
}

std::string Resource::text() const {
  std::string out = mode == Mode::Data ? "data." : mode == Mode::Ephemeral ? "ephemeral." : "";
  out += type.sv();
  out += '.';
  out += name.sv();
  return out;
}
std::string ConfigResource::text() const { return with_module(module.text(), resource.text()); }
std::string AbsResource::text() const { return with_module(module.text(), resource.text()); }
std::string AbsInstance::text() const { return with_module(module.text(), resource.text()) + key.text(); }

}  // namespace xplan
