// Parses format strings into verbs and applies each verb (%v %t %b %d %o %x %e %f %g %s %q) to an argument,
// with flags, width and precision.
#include "core/eval/functions/format_verbs.h"

#include "core/base/utf8.h"
#include "core/value/convert.h"
#include "core/value/json.h"

namespace xplan::eval {
namespace {

constexpr size_t kMaxWidth = 1000000;

bool digit(char c) {
  return c >= '0' && c <= '9';
}
bool letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

struct Parser {
  std::string_view s;
  size_t i = 0;
  std::string& problem;

  char peek() const { return i < s.size() ? s[i] : '\0'; }

  bool number(size_t& out) {
    for (out = 0; digit(peek()); ++i) {
      out = out * 10 + static_cast<size_t>(peek() - '0');
      if (out > kMaxWidth) {
        problem = "the number at offset " + std::to_string(i) + " of the format string is above " +
                  std::to_string(kMaxWidth);
        return false;
      }
    }
    return true;
  }

  bool unexpected() {
    if (i >= s.size()) {
      problem = "the format string ends in the middle of a verb; write %% for a percent sign";
      return false;
    }
    size_t end = i;
    utf8_decode(s, end);
    problem = "the character '" + std::string(s.substr(i, end - i)) + "' at offset " + std::to_string(i) +
              " of the format string is not valid there; write %% for a percent sign";
    return false;
  }

  bool flags(FormatVerb& v) {
    for (;; ++i) switch (peek()) {
        case '0':
          v.zero = true;
          break;
        case '#':
          v.sharp = true;
          break;
        case '-':
          v.minus = true;
          break;
        case '+':
          v.plus = true;
          break;
        case ' ':
          v.space = true;
          break;
        default:
          return true;
      }
  }

  // At the percent sign.
  bool verb(FormatVerb& v) {
    v.offset = i++;
    size_t n = 0;
    flags(v);
    if (digit(peek())) {
      if (!number(n)) return false;
      v.width = n;
    }
    if (peek() == '.') {
      ++i;
      if (!number(n)) return false;
      v.precision = n;
    }
    if (peek() == '[') {
      ++i;
      if (!digit(peek()) || peek() == '0') return unexpected();
      if (!number(n)) return false;
      if (peek() != ']') return unexpected();
      ++i;
      v.argument = n;
    }
    if (!letter(peek())) return unexpected();
    v.verb = s[i++];
    v.raw = s.substr(v.offset, i - v.offset);
    return true;
  }
};

}  // namespace

Format parse_format(std::string_view text) {
  Format f;
  f.pieces.emplace_back();
  Parser p{text, 0, f.problem};
  size_t next = 1;
  while (p.i < text.size()) {
    if (text[p.i] != '%') {
      f.pieces.back().literal += text[p.i++];
    } else if (p.i + 1 < text.size() && text[p.i + 1] == '%') {
      f.pieces.back().literal += '%';
      p.i += 2;
    } else {
      FormatVerb v;
      v.argument = next;
      if (!p.verb(v)) return f;
      next = v.argument + 1;
      f.arguments = std::max(f.arguments, v.argument);
      f.pieces.back().verb = v;
      f.pieces.emplace_back();
    }
  }
  return f;
}

namespace {

// Pads to the width, counted in characters as a reader sees them.
std::string pad_text(const FormatVerb& v, std::string s) {
  size_t have = v.width ? graphemes(s).size() : 0, want = v.width.value_or(0);
  if (have >= want) return s;
  std::string padding(want - have, v.zero ? '0' : ' ');
  return v.minus ? s + padding : padding + s;
}

// A number of which sign, prefix (0x) and digits are known; `zeros`: pad with zeros behind the sign.
std::string pad_number(const FormatVerb& v, const std::string& sign, const std::string& prefix,
                       std::string digits, bool zeros) {
  size_t have = sign.size() + prefix.size() + digits.size(), want = v.width.value_or(0);
  size_t missing = want > have ? want - have : 0;
  if (zeros) return sign + prefix + std::string(missing, '0') + digits;
  std::string spaces(missing, ' ');
  return v.minus ? sign + prefix + digits + spaces : spaces + sign + prefix + digits;
}

std::string sign_of(const FormatVerb& v, bool negative) {
  return negative ? "-" : v.plus ? "+" : v.space ? " " : "";
}

std::string integer_text(const FormatVerb& v, const Number& n) {
  int base = v.verb == 'b' ? 2 : v.verb == 'o' ? 8 : v.verb == 'd' ? 10 : 16;
  std::string digits = n.absolute().text_base(base);
  if (v.verb == 'X')
    for (char& c : digits)
      if (c >= 'a') c = static_cast<char>(c - 'a' + 'A');
  if (v.precision == size_t{0} && n.sign() == 0) return "";
  if (v.precision && digits.size() < *v.precision) digits.insert(0, *v.precision - digits.size(), '0');
  std::string prefix;
  if (v.sharp)
    prefix = v.verb == 'b' ? "0b" : v.verb == 'o' ? "0" : v.verb == 'x' ? "0x" : v.verb == 'X' ? "0X" : "";
  return pad_number(v, sign_of(v, n.sign() < 0), prefix, std::move(digits),
                    v.zero && !v.minus && !v.precision);
}

std::string float_text(const FormatVerb& v, const Number& n) {
  bool shortest = v.verb == 'g' || v.verb == 'G';
  std::string text = n.is_infinite() ? (n.sign() < 0 ? "-Inf" : "+Inf")
                                     : n.text_format(v.verb, v.precision ? static_cast<int>(*v.precision)
                                                             : shortest  ? -1
                                                                         : 6);
  std::string sign = sign_of(v, text[0] == '-');
  if (text[0] == '+') sign = v.space ? " " : "+";
  if (text[0] == '-' || text[0] == '+') text.erase(0, 1);
  return pad_number(v, sign, "", std::move(text), v.zero && !n.is_infinite());
}

class Applier {
 public:
  Applier(const FormatVerb& v, const Value& arg, CallError& error) : v_(v), arg_(arg), error_(error) {}

  bool append(std::string& out) {
    switch (v_.verb) {
      case 'v':
        return append_default(out);
      case 't': {
        auto b = converted(Type::boolean());
        if (b) out += b->as_bool() ? "true" : "false";
        return b.has_value();
      }
      case 'b':
      case 'd':
      case 'o':
      case 'x':
      case 'X': {
        auto n = converted(Type::number());
        if (!n) return false;
        if (!n->as_number().is_integer()) return refuse("it must be a whole number");
        out += integer_text(v_, n->as_number());
        return true;
      }
      case 'e':
      case 'E':
      case 'f':
      case 'g':
      case 'G': {
        auto n = converted(Type::number());
        if (n) out += float_text(v_, n->as_number());
        return n.has_value();
      }
      case 's':
      case 'q':
        return append_string(out);
    }
    fail(error_, "the format string has an unknown verb, \"" + std::string(v_.raw) + "\" at offset " +
                     std::to_string(v_.offset));
    return false;
  }

 private:
  bool refuse(std::string_view why) {
    fail(error_, "argument " + std::to_string(v_.argument) + " is not suitable for \"" + std::string(v_.raw) +
                     "\" at offset " + std::to_string(v_.offset) + ": " + std::string(why));
    return false;
  }

  std::optional<Value> converted(Type t) {
    if (arg_.is_null()) {
      refuse("it is null");
      return std::nullopt;
    }
    ConversionError e;
    auto out = convert(arg_, t, &e);
    if (!out) refuse(e.text());
    return out;
  }

  bool append_default(std::string& out) {
    if (!v_.sharp && arg_.is_string())
      out += pad_text(v_, std::string(arg_.as_string()));
    else if (!v_.sharp && arg_.is_number())
      out += pad_text(v_, default_number(arg_.as_number()));
    else if (arg_.is_number() && arg_.as_number().is_infinite())
      return refuse("an infinite number cannot be expressed in JSON");
    else
      out += pad_text(v_, to_json(arg_));
    return true;
  }

  static std::string default_number(const Number& n) {
    if (n.is_infinite()) return n.sign() < 0 ? "-Inf" : "+Inf";
    return n.text_format('g', -1);
  }

  bool append_string(std::string& out) {
    auto s = converted(Type::string());
    if (!s) return false;
    std::string_view text = s->as_string();
    if (v_.precision.value_or(0) > 0) {  // the precision limits the characters; 0 does not
      size_t bytes = 0, left = *v_.precision;
      for (uint32_t n : graphemes(text)) {
        if (left-- == 0) break;
        bytes += n;
      }
      text = text.substr(0, bytes);
    }
    out += pad_text(v_, v_.verb == 'q' ? to_json(Value::string(text)) : std::string(text));
    return true;
  }

  const FormatVerb& v_;
  const Value& arg_;
  CallError& error_;
};

}  // namespace

bool apply_format(const Format& format, Args args, std::string& out, CallError& error) {
  for (const FormatPiece& piece : format.pieces) {
    out += piece.literal;
    if (!piece.verb) break;
    const FormatVerb& v = *piece.verb;
    if (v.argument > args.size()) {
      fail(error, "\"" + std::string(v.raw) + "\" at offset " + std::to_string(v.offset) +
                      " of the format string requires argument " + std::to_string(v.argument) +
                      ", but there are only " + std::to_string(args.size()));
      return false;
    }
    if (!Applier(v, args[v.argument - 1], error).append(out) || !string_fits(out.size(), error)) return false;
  }
  if (!format.problem.empty()) {
    fail(error, format.problem);
    return false;
  }
  if (format.arguments < args.size()) {
    std::string used =
        format.arguments == 0 ? "has no verbs" : "uses only " + std::to_string(format.arguments);
    fail(error, "there are more arguments than the format string uses: it " + used,
         static_cast<int>(format.arguments));
    return false;
  }
  return true;
}

}  // namespace xplan::eval
