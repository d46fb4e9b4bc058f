// The JSON parser behind JsonDocument: recursive descent into an arena, contiguous children, a key index for
// large objects, a depth limit, and errors with line and column.
#include "core/base/json_reader.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <type_traits>

#include "core/base/json_escape.h"
#include "core/base/text.h"
#include "core/base/utf8.h"

namespace xplan {

static_assert(std::is_trivially_destructible_v<JsonNode> && std::is_trivially_destructible_v<JsonMember>,
              "the arena frees its chunks without looking inside");

namespace {

constexpr size_t kIndexFrom = 32;

// Which bytes end a plain run inside a string: the quote, the backslash, control characters, and non-ASCII.
struct StopTable {
  bool stop[256] = {};
  constexpr StopTable() {
    for (int i = 0; i < 256; ++i) stop[i] = i < 0x20 || i == '"' || i == '\\' || i >= 0x80;
  }
};
constexpr StopTable kStop;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_word(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

}  // namespace

// An indexed object has its member numbers, sorted by key and then by position, right behind its members.
const JsonNode* JsonNode::find(std::string_view key) const {
  if (!indexed) {
    for (size_t i = members.size(); i-- > 0;)
      if (members[i].key == key) return members[i].value;
    return nullptr;
  }
  auto* index = reinterpret_cast<const uint32_t*>(members.data() + members.size());
  auto* end = index + members.size();
  auto* it =
      std::upper_bound(index, end, key, [&](std::string_view k, uint32_t m) { return k < members[m].key; });
  if (it == index || members[it[-1]].key != key) return nullptr;
  return members[it[-1]].value;
}

std::string JsonError::text(std::string_view source) const {
  size_t at = std::min<size_t>(offset, source.size()), line = 1, column = 1;
  size_t start = 0;
  for (size_t i = 0; i < at; ++i)
    if (source[i] == '\n') ++line, start = i + 1;
  for (size_t i = start; i < at; ++i)
    if ((static_cast<unsigned char>(source[i]) & 0xC0) != 0x80) ++column;
  return "line " + std::to_string(line) + ", column " + std::to_string(column) + ": " + message;
}

void* JsonDocument::allocate(size_t bytes) {
  bytes = (bytes + 7) & ~size_t{7};
  if (bytes > left_) {
    size_t size = std::max(
        bytes, std::min<size_t>(size_t{1} << 20, size_t{4096} << std::min<size_t>(chunks_.size(), 8)));
    chunks_.emplace_back(new std::byte[size]);
    free_ = chunks_.back().get();
    left_ = size;
  }
  void* p = free_;
  free_ += bytes;
  left_ -= bytes;
  return p;
}

// A recursive parser over the whole text. Children of open containers wait on two stacks and are copied to
// the arena when their container closes, so that each list is contiguous and exactly as large as needed.
class JsonParser {
 public:
  JsonParser(JsonDocument& doc, std::string_view text, JsonError& error, int max_depth)
      : doc_(doc),
        begin_(text.data()),
        p_(text.data()),
        end_(text.data() + text.size()),
        error_(error),
        max_depth_(max_depth) {}

  const JsonNode* document() {
    if (end_ - p_ >= 3 && std::memcmp(p_, "\xEF\xBB\xBF", 3) == 0) p_ += 3;
    skip_space();
    if (p_ == end_) return fail("there is no value: the input is empty"), nullptr;
    const JsonNode* root = value(0);
    if (!root) return nullptr;
    skip_space();
    if (p_ != end_) {
      if (*p_ == '/' || *p_ == '#')
        fail_comment();
      else
        fail("there are extra characters after the end of the value");
      return nullptr;
    }
    return root;
  }

 private:
  uint32_t at(const char* p) const { return static_cast<uint32_t>(p - begin_); }
  void fail(std::string_view message) { fail_at(p_, message); }
  void fail_at(const char* where, std::string_view message) {
    error_.message = message;
    error_.offset = at(where);
  }
  void fail_depth(const char* where) {
    fail_at(where, "the nesting is deeper than " + std::to_string(max_depth_) + " levels");
  }
  void fail_comment() { fail("comments are not allowed in JSON"); }
  void skip_space() {
    while (p_ != end_ && (*p_ == ' ' || *p_ == '\n' || *p_ == '\r' || *p_ == '\t')) ++p_;
  }
  JsonNode* make(JsonNode::Kind kind, const char* begin) {
    auto* n = new (doc_.allocate(sizeof(JsonNode))) JsonNode;
    n->kind = kind;
    n->begin = at(begin);
    n->end = at(p_);
    return n;
  }

  const JsonNode* value(int depth) {
    if (p_ == end_) return fail("the input ends where a value is expected"), nullptr;
    switch (*p_) {
      case '{':
        return object(depth);
      case '[':
        return array(depth);
      case '"': {
        const char* begin = p_;
        std::string_view s;
        if (!string(s)) return nullptr;
        JsonNode* n = make(JsonNode::Kind::String, begin);
        n->text = s;
        return n;
      }
      case 't':
        return word("true", JsonNode::Kind::True);
      case 'f':
        return word("false", JsonNode::Kind::False);
      case 'n':
        return word("null", JsonNode::Kind::Null);
      default:
        break;
    }
    if (*p_ == '-' || is_digit(*p_)) return number();
    return fail_value(), nullptr;
  }

  void fail_value() {
    char c = *p_;
    if (c == '/' || c == '#')
      fail_comment();
    else if (c == '\'')
      fail("a string is written in double quotes");
    else if (c == ',')
      fail("a value is missing before this comma");
    else if (c == ']' || c == '}')
      fail("a value is expected before this bracket");
    else if (c == '+')
      fail("a number cannot have a plus sign");
    else if (c == '.')
      fail("a number must begin with a digit");
    else if (c == '=' || c == ':')
      fail("a value is expected here");
    else if (is_word(c))
      fail("a word is not a JSON value: a string is written in double quotes");
    else
      fail("this character cannot start a JSON value");
  }

  const JsonNode* word(std::string_view w, JsonNode::Kind kind) {
    const char* begin = p_;
    size_t left = static_cast<size_t>(end_ - p_);
    bool same = left >= w.size() && std::memcmp(p_, w.data(), w.size()) == 0;
    if (!same || (left > w.size() && is_word(p_[w.size()]))) return fail_value(), nullptr;
    p_ += w.size();
    return make(kind, begin);
  }

  const JsonNode* number() {
    const char* begin = p_;
    auto digits = [&](std::string_view message) {
      if (p_ == end_ || !is_digit(*p_)) return fail(message), false;
      while (p_ != end_ && is_digit(*p_)) ++p_;
      return true;
    };
    if (*p_ == '-') ++p_;
    if (p_ != end_ && *p_ == '0') {
      ++p_;
      if (p_ != end_ && is_digit(*p_)) return fail_at(begin, "a number cannot have leading zeros"), nullptr;
    } else if (!digits("a digit is expected after the minus sign")) {
      return nullptr;
    }
    if (p_ != end_ && *p_ == '.') {
      ++p_;
      if (!digits("a digit is expected after the decimal point")) return nullptr;
    }
    if (p_ != end_ && (*p_ == 'e' || *p_ == 'E')) {
      ++p_;
      if (p_ != end_ && (*p_ == '+' || *p_ == '-')) ++p_;
      if (!digits("a digit is expected in the exponent")) return nullptr;
    }
    if (p_ != end_ && (is_word(*p_) || *p_ == '.'))
      return fail("this character cannot be part of a number"), nullptr;
    JsonNode* n = make(JsonNode::Kind::Number, begin);
    n->text = {begin, static_cast<size_t>(p_ - begin)};
    return n;
  }

  // Reads a string from its opening quote on; p_ is behind the closing quote afterwards.
  bool string(std::string_view& out) {
    const char* quote = p_++;
    const char* begin = p_;
    bool simple = true;
    for (;;) {
      while (p_ != end_ && !kStop.stop[static_cast<unsigned char>(*p_)]) ++p_;
      if (p_ == end_) return fail_at(quote, "this string has no closing quote"), false;
      unsigned char c = static_cast<unsigned char>(*p_);
      if (c == '"') break;
      if (c >= 0x80) {
        size_t n = utf8_length_at({p_, static_cast<size_t>(std::min<ptrdiff_t>(end_ - p_, 4))}, 0);
        if (n == 0) simple = false, n = 1;
        p_ += n;
        continue;
      }
      if (c == '\n' || c == '\r') return fail("a string cannot continue on the next line; write \\n"), false;
      if (c < 0x20)
        return fail("a control character in a string must be written as an escape (\\u00XX)"), false;
      simple = false;
      if (!check_escape()) return false;
    }
    std::string_view raw(begin, static_cast<size_t>(p_ - begin));
    ++p_;
    out = simple ? raw : decode(raw);
    return true;
  }

  bool check_escape() {  // p_ at the backslash
    if (end_ - p_ < 2) return fail("this string has no closing quote"), false;
    switch (p_[1]) {
      case '"':
      case '\\':
      case '/':
      case 'b':
      case 'f':
      case 'n':
      case 'r':
      case 't':
        p_ += 2;
        return true;
      case 'u':
        if (hex4({p_, static_cast<size_t>(end_ - p_)}, 2) < 0)
          return fail("four hexadecimal digits are expected after \\u"), false;
        p_ += 6;
        return true;
      default:
        return fail(
                   "this escape sequence is not valid: JSON has \\\" \\\\ \\/ \\b \\f \\n \\r \\t and "
                   "\\uXXXX"),
               false;
    }
  }

  // Precondition: every escape has been checked.
  std::string_view decode(std::string_view raw) {
    scratch_.clear();
    for (size_t i = 0; i < raw.size();) {
      if (raw[i] != '\\') {
        size_t n = utf8_length_at(raw, i);
        if (n)
          scratch_.append(raw, i, n), i += n;
        else
          utf8_append(scratch_, 0xFFFD), ++i;
        continue;
      }
      append_json_escape(scratch_, raw, ++i);
    }
    char* copy = static_cast<char*>(doc_.allocate(scratch_.size()));
    if (!scratch_.empty()) std::memcpy(copy, scratch_.data(), scratch_.size());
    return {copy, scratch_.size()};
  }

  const JsonNode* array(int depth) {
    const char* open = p_++;
    if (depth >= max_depth_) return fail_depth(open), nullptr;
    size_t base = items_.size();
    skip_space();
    if (p_ != end_ && *p_ == ']') {
      ++p_;
      return make(JsonNode::Kind::Array, open);
    }
    for (;;) {
      const JsonNode* item = value(depth + 1);
      if (!item) return nullptr;
      items_.push_back(item);
      skip_space();
      if (p_ == end_) return fail_at(open, "this array has no closing bracket"), nullptr;
      if (*p_ == ']') break;
      const char* comma = p_;
      if (!comma_or_fail("a comma is expected between elements", "a colon is not allowed in an array"))
        return nullptr;
      if (p_ != end_ && *p_ == ']') return fail_at(comma, "there is a comma after the last element"), nullptr;
      if (p_ == end_) return fail_at(open, "this array has no closing bracket"), nullptr;
    }
    ++p_;
    JsonNode* n = make(JsonNode::Kind::Array, open);
    size_t count = items_.size() - base;
    auto* copy = static_cast<const JsonNode**>(doc_.allocate(count * sizeof(JsonNode*)));
    std::copy(items_.begin() + static_cast<ptrdiff_t>(base), items_.end(), copy);
    n->items = {copy, count};
    items_.resize(base);
    return n;
  }

  bool comma_or_fail(std::string_view missing, std::string_view colon) {
    if (*p_ == ',') {
      ++p_;
      skip_space();
      return true;
    }
    if (*p_ == '/' || *p_ == '#')
      fail_comment();
    else if (*p_ == ':' || *p_ == '=')
      fail(colon);
    else if (*p_ == '}' || *p_ == ']')
      fail("this bracket does not match the opening one");
    else
      fail(missing);
    return false;
  }

  bool key(JsonMember& m) {
    if (*p_ != '"') {
      if (*p_ == '/' || *p_ == '#')
        fail_comment();
      else if (*p_ == ',')
        fail("a member is missing before this comma");
      else
        fail("a member name in double quotes is expected");
      return false;
    }
    m.key_begin = at(p_);
    if (!string(m.key)) return false;
    m.key_end = at(p_);
    skip_space();
    if (p_ == end_ || *p_ != ':') {
      if (p_ != end_ && *p_ == '=')
        fail("a member name must be followed by a colon, not an equals sign");
      else if (p_ != end_ && (*p_ == '/' || *p_ == '#'))
        fail_comment();
      else
        fail("a colon is expected after the member name");
      return false;
    }
    ++p_;
    skip_space();
    return true;
  }

  const JsonNode* object(int depth) {
    const char* open = p_++;
    if (depth >= max_depth_) return fail_depth(open), nullptr;
    size_t base = members_.size();
    skip_space();
    if (p_ != end_ && *p_ == '}') {
      ++p_;
      return make(JsonNode::Kind::Object, open);
    }
    for (;;) {
      if (p_ == end_) return fail_at(open, "this object has no closing brace"), nullptr;
      JsonMember m{};
      if (!key(m) || !(m.value = value(depth + 1))) return nullptr;
      members_.push_back(m);
      skip_space();
      if (p_ == end_) return fail_at(open, "this object has no closing brace"), nullptr;
      if (*p_ == '}') break;
      const char* comma = p_;
      if (!comma_or_fail("a comma is expected between members",
                         "a comma is expected between members, not this"))
        return nullptr;
      if (p_ != end_ && *p_ == '}') return fail_at(comma, "there is a comma after the last member"), nullptr;
    }
    ++p_;
    JsonNode* n = make(JsonNode::Kind::Object, open);
    size_t count = members_.size() - base;
    n->indexed = count >= kIndexFrom;
    auto* copy = static_cast<JsonMember*>(
        doc_.allocate(count * sizeof(JsonMember) + (n->indexed ? count * sizeof(uint32_t) : 0)));
    std::uninitialized_copy(members_.begin() + static_cast<ptrdiff_t>(base), members_.end(), copy);
    n->members = {copy, count};
    members_.resize(base);
    if (n->indexed) {
      auto* index = reinterpret_cast<uint32_t*>(copy + count);
      for (size_t i = 0; i < count; ++i) index[i] = static_cast<uint32_t>(i);
      std::sort(index, index + count, [&](uint32_t a, uint32_t b) {
        int c = copy[a].key.compare(copy[b].key);
        return c ? c < 0 : a < b;
      });
    }
    return n;
  }

  JsonDocument& doc_;
  const char* begin_;
  const char* p_;
  const char* end_;
  JsonError& error_;
  int max_depth_;
  std::vector<const JsonNode*> items_;
  std::vector<JsonMember> members_;
  std::string scratch_;
};

bool JsonDocument::read(std::string_view text, JsonError& error, int max_depth) {
  text_ = text;
  if (text.size() > UINT32_MAX)
    error = {"the input is larger than 4 GiB", 0};
  else
    root_ = JsonParser(*this, text, error, max_depth).document();
  return root_ != nullptr;
}

std::unique_ptr<JsonDocument> JsonDocument::parse(std::string_view text, JsonError& error, int max_depth) {
  std::unique_ptr<JsonDocument> doc(new JsonDocument);
  if (!doc->read(text, error, max_depth)) doc.reset();
  return doc;
}

std::unique_ptr<JsonDocument> JsonDocument::parse_owned(std::string text, JsonError& error, int max_depth) {
  std::unique_ptr<JsonDocument> doc(new JsonDocument);
  doc->owned_ = std::move(text);  // before parsing: views of a short string would not survive a move
  if (!doc->read(doc->owned_, error, max_depth)) doc.reset();
  return doc;
}

}  // namespace xplan
