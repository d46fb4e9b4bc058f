// Parses the text of addresses: of targets, resources, their instances, and modules, as users, states and
// plan files write them. The text is first read as steps, which are names and keys; then they are told apart.
#include <utf8proc.h>

#include <algorithm>
#include <array>

#include "core/addr/addr.h"
#include "core/base/text.h"
#include "core/base/utf8.h"

namespace xplan {
namespace {

struct Step {
  bool is_key = false;
  Symbol name;
  InstanceKey key;
};

bool name_start(char32_t c) {
  if (c < 0x80) return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  utf8proc_category_t k = utf8proc_category(static_cast<utf8proc_int32_t>(c));
  return (k >= UTF8PROC_CATEGORY_LU && k <= UTF8PROC_CATEGORY_LO) || k == UTF8PROC_CATEGORY_NL;
}
bool name_part(char32_t c) {
  if (c < 0x80) return name_start(c) || (c >= '0' && c <= '9') || c == '-';
  utf8proc_category_t k = utf8proc_category(static_cast<utf8proc_int32_t>(c));
  return name_start(c) || k == UTF8PROC_CATEGORY_MN || k == UTF8PROC_CATEGORY_MC ||
         k == UTF8PROC_CATEGORY_ND || k == UTF8PROC_CATEGORY_PC;
}
bool digit(char c) {
  return c >= '0' && c <= '9';
}

class Reader {
 public:
  Reader(std::string_view text, std::string* error, bool unknown_keys = false)
      : text_(text), error_(error), unknown_keys_(unknown_keys) {}

  bool read(std::vector<Step>& out) {
    if (!utf8_valid(text_)) return fail("The address is not valid UTF-8.");
    skip_blank();
    if (at_end()) return fail("The address is empty.");
    if (!read_name(out, "An address must begin with a name, such as a resource type or \"module\"."))
      return false;
    for (skip_blank(); !at_end(); skip_blank()) {
      if (take('.')) {
        skip_blank();
        if (!at_end() && peek() == '*') return fail("A splat (*) cannot be part of an address.");
        if (!read_name(out,
                       "A dot must be followed by a name. Instance keys are written in square brackets, "
                       "as in [0] or [\"key\"]."))
          return false;
      } else if (take('[')) {
        if (!read_key(out)) return false;
      } else {
        return fail("A name can be followed only by a dot or a key in square brackets.");
      }
    }
    return true;
  }

 private:
  bool fail(std::string sentence) {
    if (error_) *error_ = std::move(sentence);
    return false;
  }
  bool at_end() const { return i_ >= text_.size(); }
  char peek() const { return text_[i_]; }
  bool take(char c) {
    if (at_end() || peek() != c) return false;
    ++i_;
    return true;
  }
  // Spaces and comments, which the language allows between the parts of a traversal.
  void skip_blank() {
    while (!at_end()) {
      std::string_view rest = text_.substr(i_);
      if (rest[0] == ' ' || rest[0] == '\t' || rest[0] == '\r' || rest[0] == '\n') {
        ++i_;
      } else if (rest[0] == '#' || rest.starts_with("//")) {
        size_t end = text_.find('\n', i_);
        i_ = end == std::string_view::npos ? text_.size() : end;
      } else if (rest.starts_with("/*")) {
        size_t end = text_.find("*/", i_ + 2);
        if (end == std::string_view::npos) return;
        i_ = end + 2;
      } else {
        return;
      }
    }
  }

  bool read_name(std::vector<Step>& out, const char* otherwise) {
    size_t begin = i_, i = i_;
    while (i < text_.size()) {
      char32_t c = utf8_decode(text_, i);
      if (!(i_ == begin ? name_start(c) : name_part(c))) break;
      i_ = i;
    }
    if (i_ == begin) return fail(otherwise);
    out.push_back({false, Symbol(nfc(text_.substr(begin, i_ - begin))), {}});
    return true;
  }

  bool read_key(std::vector<Step>& out) {
    skip_blank();
    InstanceKey key;
    if (at_end()) return fail("The square bracket is not closed.");
    if (peek() == '"') {
      if (!read_string(key)) return false;
    } else if (digit(peek())) {
      if (!read_number(key)) return false;
    } else if (unknown_keys_ && take('*')) {
      key = InstanceKey::unknown();
    } else if (peek() == '*') {
      return fail("A splat ([*]) cannot be part of an address.");
    } else {
      return fail(
          "The square brackets must contain a whole number or a string in double quotes. In a shell, put "
          "single "
          "quotes around the whole address, so that it keeps the double quotes.");
    }
    skip_blank();
    if (!take(']')) return fail("The key must be followed by a closing square bracket.");
    out.push_back({true, {}, key});
    return true;
  }

  // A number literal of the language (fraction and exponent included) that is a whole number.
  bool read_number(InstanceKey& key) {
    std::string digits;
    int64_t scale = 0;
    while (!at_end() && digit(peek())) digits += text_[i_++];
    if (i_ + 1 < text_.size() && peek() == '.' && digit(text_[i_ + 1])) {
      for (++i_; !at_end() && digit(peek()); --scale) digits += text_[i_++];
    }
    if (!at_end() && (peek() == 'e' || peek() == 'E')) {
      size_t j = i_ + 1;
      bool minus = j < text_.size() && text_[j] == '-';
      if (minus || (j < text_.size() && text_[j] == '+')) ++j;
      if (j < text_.size() && digit(text_[j])) {
        int64_t exponent = 0;
        for (; j < text_.size() && digit(text_[j]); ++j)
          exponent = std::min<int64_t>(exponent * 10 + (text_[j] - '0'), 1 << 30);
        scale += minus ? -exponent : exponent;
        i_ = j;
      }
    }
    const char* range = "An instance key must be a whole number of at most 9223372036854775807.";
    digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size()));
    while (scale < 0 && !digits.empty() && digits.back() == '0') digits.pop_back(), ++scale;
    if (digits.empty()) return key = InstanceKey::of(int64_t{0}), true;
    if (scale < 0 || scale > 19 || digits.size() + static_cast<size_t>(scale) > 19) return fail(range);
    digits.append(static_cast<size_t>(scale), '0');
    uint64_t n = 0;
    for (char c : digits) n = n * 10 + static_cast<uint64_t>(c - '0');
    if (n > static_cast<uint64_t>(INT64_MAX)) return fail(range);
    key = InstanceKey::of(static_cast<int64_t>(n));
    return true;
  }

  bool read_string(InstanceKey& key) {
    std::string s;
    for (++i_; !at_end();) {
      char c = text_[i_++];
      if (c == '"') {
        key = InstanceKey::of(Symbol(nfc(s)));
        return true;
      }
      if (c == '\n' || c == '\r')
        return fail("A key in quotes cannot span lines; write \\n for a line break.");
      if (c == '\\') {
        if (!read_escape(s)) return false;
        continue;
      }
      if ((c == '$' || c == '%') && !at_end()) {
        if (peek() == '{')
          return fail(std::string("Template sequences are not allowed in an address. Write ") + c + c +
                      "{ for the two characters " + c + "{.");
        if (peek() == c && i_ + 1 < text_.size() && text_[i_ + 1] == '{')
          s += c, s += '{', i_ += 2;
        else
          s += c;
        continue;
      }
      s += c;
    }
    return fail("The key has no closing quote.");
  }

  bool read_escape(std::string& s) {
    const char* unknown =
        "The key has an escape sequence that is not one of \\n, \\r, \\t, \\\", \\\\, \\uNNNN and "
        "\\UNNNNNNNN.";
    if (at_end()) return fail(unknown);
    switch (char c = text_[i_++]) {
      case 'n':
        s += '\n';
        return true;
      case 'r':
        s += '\r';
        return true;
      case 't':
        s += '\t';
        return true;
      case '"':
        s += '"';
        return true;
      case '\\':
        s += '\\';
        return true;
      case 'u':
      case 'U': {
        char32_t cp = 0;
        for (int left = c == 'u' ? 4 : 8; left > 0; --left) {
          int v = hex_digit(at_end() ? '\0' : text_[i_++]);
          if (v < 0) return fail(unknown);
          cp = cp << 4 | static_cast<char32_t>(v);
        }
        utf8_append(s, cp > 0x10FFFF || (cp >= 0xD800 && cp < 0xE000) ? 0xFFFD : cp);
        return true;
      }
      default:
        return fail(unknown);
    }
  }

  std::string_view text_;
  std::string* error_;
  bool unknown_keys_;
  size_t i_ = 0;
};

constexpr std::array<std::string_view, 11> kReserved = {
    "count", "each", "local", "path", "self", "template", "lazy", "terraform", "var", "arg", "module"};

// Steps told apart: modules first, then at most one resource and its key.
bool interpret(const std::vector<Step>& steps, Target& out, std::string* error) {
  auto fail = [&](std::string sentence) {
    if (error) *error = std::move(sentence);
    return false;
  };
  size_t i = 0;
  while (i < steps.size() && !steps[i].is_key && steps[i].name.sv() == "module") {
    if (++i >= steps.size() || steps[i].is_key)
      return fail("The word \"module.\" must be followed by the name of a module call.");
    Symbol call = steps[i++].name;
    InstanceKey key;
    if (i < steps.size() && steps[i].is_key) key = steps[i++].key;
    if (out.module.depth() == kMaxModuleDepth)
      return fail("Modules can be nested at most " + std::to_string(kMaxModuleDepth) + " levels deep.");
    out.module = out.module.child(call, key);
  }
  if (i == steps.size()) return true;
  if (steps[i].is_key) return fail("A module can have at most one instance key.");
  Resource r;
  std::string_view first = steps[i].name.sv();
  if (first == "data")
    r.mode = Mode::Data, ++i;
  else if (first == "ephemeral")
    r.mode = Mode::Ephemeral, ++i;
  else if (first == "resource")
    ++i;
  else if (std::find(kReserved.begin(), kReserved.end(), first) != kReserved.end())
    return fail("The word \"" + std::string(first) +
                "\" is reserved and cannot begin the address of a resource. If it "
                "is the name of a resource type, put \"resource.\" before it.");
  if (i + 1 >= steps.size() || steps[i].is_key || steps[i + 1].is_key)
    return fail("The address of a resource must have a resource type and a name, as in aws_instance.web.");
  r.type = steps[i].name, r.name = steps[i + 1].name;
  i += 2;
  out.resource = r;
  if (i < steps.size()) {
    if (!steps[i].is_key)
      return fail("The name of a resource can be followed only by an instance key in square brackets.");
    out.key = steps[i++].key;
    out.has_key = true;
  }
  if (i < steps.size()) return fail("There are extra characters after the end of the address.");
  return true;
}

}  // namespace

std::optional<Target> parse_target(std::string_view text, std::string* error) {
  std::vector<Step> steps;
  Target out;
  if (!Reader(text, error).read(steps) || !interpret(steps, out, error)) return std::nullopt;
  return out;
}

namespace {

std::optional<AbsInstance> instance(std::string_view text, std::string* error, bool unknown_keys) {
  std::vector<Step> steps;
  Target t;
  if (!Reader(text, error, unknown_keys).read(steps) || !interpret(steps, t, error)) return std::nullopt;
  if (!t.resource) {
    if (error) *error = "A resource instance is expected here, not a module.";
    return std::nullopt;
  }
  return AbsInstance{t.module, *t.resource, t.key};
}

}  // namespace

std::optional<AbsInstance> parse_abs_instance(std::string_view text, std::string* error) {
  return instance(text, error, false);
}
std::optional<AbsInstance> parse_partial_instance(std::string_view text, std::string* error) {
  return instance(text, error, true);
}

std::optional<AbsResource> parse_abs_resource(std::string_view text, std::string* error) {
  auto a = parse_abs_instance(text, error);
  if (!a) return std::nullopt;
  if (!a->key.none()) {
    if (error) *error = "A whole resource is expected here, not one of its instances. Remove the key.";
    return std::nullopt;
  }
  return a->abs_resource();
}

std::optional<ConfigResource> parse_config_resource(std::string_view text, std::string* error) {
  auto a = parse_abs_resource(text, error);
  if (!a) return std::nullopt;
  for (ModuleInstance m : a->module.chain()) {
    if (m.key().none()) continue;
    if (error) *error = "Instance keys are not allowed in this address.";
    return std::nullopt;
  }
  return a->config();
}

bool is_name(std::string_view text) {
  for (size_t i = 0; i < text.size();)
    if (!name_part(utf8_decode(text, i))) return false;
  return !text.empty();
}

std::optional<ModuleInstance> parse_module_instance(std::string_view text, std::string* error) {
  auto t = parse_target(text, error);
  if (!t) return std::nullopt;
  if (t->resource) {
    if (error) *error = "A module address is expected here, not a resource address.";
    return std::nullopt;
  }
  return t->module;
}

}  // namespace xplan
