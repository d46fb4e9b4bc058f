// Expressions of the JSON syntax: builds the tree of a JSON value on demand, parsing templates in its
// strings, and maps positions inside decoded strings back to the file.
#include "core/syntax/json_syntax.h"

#include <fmt/format.h>

#include "core/base/json_escape.h"
#include "core/base/text.h"
#include "core/base/utf8.h"
#include "core/syntax/parser.h"
#include "core/value/json.h"

namespace xplan::syntax {
namespace {

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
                   fmt::format("Objects and arrays can be nested at most {} levels deep.", kMaxDepth),
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
      case JsonNode::Kind::Null:
      case JsonNode::Kind::True:
      case JsonNode::Kind::False:
      case JsonNode::Kind::Number:
        break;
    }
    Expr* e = node(ExprKind::Literal, n);
    e->value = literal_json_value(n);
    return e;
  }

  const Expr* string(const JsonNode& n) {
    if (!literal_ && may_be_template(n.text)) {
      JsonText text(file_, n);
      Expr* e =
          const_cast<Expr*>(Parser(file_, text.text, file_.late).whole_template());  // nobody else has it yet
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
                   fmt::format("An expression can chain or nest at most {} operations.", kMaxHeight),
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

void take_late(const File& file, Diagnostics& diags) {
  std::lock_guard guard(file.arena->lock);
  diags.append(std::move(const_cast<File&>(file).late));
  const_cast<File&>(file).late.clear();
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
      append_json_escape(decoded_, raw, ++i);
    }
    map_.resize(decoded_.size(), static_cast<uint32_t>(start));
  }
  map_.push_back(static_cast<uint32_t>(raw.size()));
  text.s = decoded_;
  text.map = map_.data();
}

Value literal_json_value(const JsonNode& n) {
  Result<Value> value = json_value(n);
  return value ? std::move(*value) : Value::unknown(Type::dynamic());  // a number out of all bounds
}

}  // namespace xplan::syntax
