#include "core/syntax/json_syntax.h"

#include <fmt/format.h>

#include "core/base/utf8.h"
#include "core/syntax/parser.h"

namespace xplan::syntax {
namespace {

int hex4(std::string_view s, size_t i) {
  if (i + 4 > s.size()) return -1;
  int v = 0;
  for (size_t k = i; k < i + 4; ++k) {
    char h = s[k];
    int d = h >= '0' && h <= '9'   ? h - '0'
            : h >= 'a' && h <= 'f' ? h - 'a' + 10
            : h >= 'A' && h <= 'F' ? h - 'A' + 10
                                   : -1;
    if (d < 0) return -1;
    v = v << 4 | d;
  }
  return v;
}

bool may_be_template(std::string_view s) {
  return s.find("${") != s.npos || s.find("%{") != s.npos;
}

class Builder {
 public:
  Builder(File& file, bool literal, Diagnostics& diags) : file_(file), literal_(literal), diags_(diags) {}

  const Expr* build(const JsonNode& n, int depth) {
    File::Arena::Made& made = file_.arena->made[&n];
    const Expr*& slot = literal_ ? made.literal : made.full;
    if (slot) return slot;
    const Expr* e = make(n, depth);
    File::Arena::Made& again = file_.arena->made[&n];  // the table may have moved meanwhile
    (literal_ ? again.literal : again.full) = e;
    return e;
  }

 private:
  Expr* node(ExprKind kind, const JsonNode& n) {
    Expr* e = file_.new_expr();
    e->kind = kind;
    e->range = json_range(file_, n);
    e->json = &n;
    return e;
  }

  const Expr* make(const JsonNode& n, int depth) {
    if (depth > kMaxDepth) {
      diags_.error("Nested too deeply",
                   fmt::format("Objects and arrays can be nested {} levels deep at most.", kMaxDepth),
                   json_range(file_, n));
      Expr* e = node(ExprKind::Literal, n);
      e->value = Value::unknown();
      return e;
    }
    switch (n.kind) {
      case JsonNode::Kind::Object:
        return object(n, depth);
      case JsonNode::Kind::Array: {
        Expr* e = node(ExprKind::Tuple, n);
        e->open_range = json_range(file_, n.begin, n.begin + 1);
        std::vector<const Expr*> items;
        items.reserve(n.items.size());
        for (const JsonNode* item : n.items) items.push_back(make(*item, depth + 1)), grow(e, items.back());
        return finish(e, std::move(items));
      }
      case JsonNode::Kind::String:
        return string(n);
      default: {
        Expr* e = node(ExprKind::Literal, n);
        e->value = literal_json_value(n);
        return e;
      }
    }
  }

  const Expr* string(const JsonNode& n) {
    if (!literal_ && may_be_template(n.text)) {
      JsonText text(file_, n);
      Expr* e =
          const_cast<Expr*>(Parser(file_, text.text, diags_).whole_template());  // nobody else has it yet
      e->range = json_range(file_, n);
      e->json = &n;
      return e;
    }
    Expr* e = node(ExprKind::Literal, n);
    e->value = Value::string(n.text);
    return e;
  }

  const Expr* object(const JsonNode& n, int depth) {
    Expr* e = node(ExprKind::Object, n);
    e->open_range = json_range(file_, n.begin, n.begin + 1);
    std::vector<const Expr*> items;
    items.reserve(2 * n.members.size());
    std::unordered_map<std::string_view, Range> seen;
    for (const JsonMember& m : n.members) {
      Range key_range = json_range(file_, m.key_begin, m.key_end);
      if (!seen.emplace(m.key, key_range).second) {
        diags_.error(
            "Duplicate object key",
            fmt::format("The key \"{}\" occurs more than once in this object. Remove all but one.", m.key),
            key_range);
        continue;
      }
      JsonNode* key = file_.arena->names.next();
      key->kind = JsonNode::Kind::String;
      key->begin = m.key_begin, key->end = m.key_end, key->text = m.key;
      items.push_back(string(*key)), grow(e, items.back());
      items.push_back(make(*m.value, depth + 1)), grow(e, items.back());
    }
    return finish(e, std::move(items));
  }

  const Expr* finish(Expr* e, std::vector<const Expr*> items) {
    if (e->height > kMaxHeight) {
      diags_.error("Expression is too long",
                   fmt::format("An expression can chain or nest {} operations at most.", kMaxHeight),
                   e->range);
      e->kind = ExprKind::Literal;
      e->value = Value::unknown();
      e->height = 1;
      return e;
    }
    e->items = file_.keep(std::move(items));
    return e;
  }

  static void grow(Expr* e, const Expr* child) {
    if (child->height >= e->height) e->height = static_cast<uint16_t>(child->height + 1);
  }

  File& file_;
  bool literal_;
  Diagnostics& diags_;
};

}  // namespace

const Expr* json_expression(const File& file, const JsonNode& node, bool literal, Diagnostics& diags) {
  std::lock_guard guard(file.arena->lock);
  // The tree is only added to, under the lock; what others already have does not change.
  return Builder(const_cast<File&>(file), literal, diags).build(node, 0);
}

JsonText::JsonText(const File& file, const JsonNode& n) {
  std::string_view raw = file.document->text().substr(n.begin + 1, n.end - n.begin - 2);
  text.base = file.base + n.begin + 1;
  text.s = raw;
  if (raw.find('\\') == raw.npos) return;
  decoded_.reserve(raw.size());
  map_.reserve(raw.size() + 1);
  for (size_t i = 0; i < raw.size();) {
    size_t start = i;
    if (raw[i] != '\\') {
      decoded_ += raw[i++];
    } else {
      char c = i + 1 < raw.size() ? raw[i + 1] : '\\';
      i += 2;
      switch (c) {
        case 'n':
          decoded_ += '\n';
          break;
        case 'r':
          decoded_ += '\r';
          break;
        case 't':
          decoded_ += '\t';
          break;
        case 'b':
          decoded_ += '\b';
          break;
        case 'f':
          decoded_ += '\f';
          break;
        case 'u': {
          int high = hex4(raw, i), low = -1;
          i += 4;
          if (high >= 0xD800 && high < 0xDC00 && raw.substr(i, 2) == "\\u") low = hex4(raw, i + 2);
          if (low >= 0xDC00 && low < 0xE000) {
            i += 6;
            utf8_append(decoded_, static_cast<char32_t>(0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00)));
          } else {
            utf8_append(decoded_,
                        high < 0 || (high >= 0xD800 && high < 0xE000) ? 0xFFFD : static_cast<char32_t>(high));
          }
          break;
        }
        default:
          decoded_ += c;
      }
    }
    map_.resize(decoded_.size(), static_cast<uint32_t>(start));
  }
  map_.push_back(static_cast<uint32_t>(raw.size()));
  text.s = decoded_;
  text.map = map_.data();
}

Value literal_json_value(const JsonNode& n) {
  switch (n.kind) {
    case JsonNode::Kind::Null:
      return Value::null();
    case JsonNode::Kind::True:
      return Value::boolean(true);
    case JsonNode::Kind::False:
      return Value::boolean(false);
    case JsonNode::Kind::String:
      return Value::string(n.text);
    case JsonNode::Kind::Number: {
      Result<Number> number = Number::parse(n.text);
      return number.ok() ? Value::number(*number) : Value::unknown(Type::number());
    }
    case JsonNode::Kind::Array: {
      std::vector<Value> items;
      items.reserve(n.items.size());
      for (const JsonNode* item : n.items) items.push_back(literal_json_value(*item));
      return Value::tuple(std::move(items));
    }
    case JsonNode::Kind::Object: {
      std::vector<std::pair<Symbol, Value>> attrs;
      std::unordered_map<Symbol, size_t> at;  // of a repeated key the last one counts
      for (const JsonMember& m : n.members) {
        Symbol name(nfc(m.key));
        auto [it, fresh] = at.emplace(name, attrs.size());
        if (fresh)
          attrs.emplace_back(name, literal_json_value(*m.value));
        else
          attrs[it->second].second = literal_json_value(*m.value);
      }
      return Value::object(std::move(attrs));
    }
  }
  return Value::null();
}

}  // namespace xplan::syntax
