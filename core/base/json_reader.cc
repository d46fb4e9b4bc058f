// The JSON parser behind JsonDocument: recursive descent into an arena, contiguous children, a key index for
// large objects, a depth limit, and errors with line and column.
#include "core/base/json_reader.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <type_traits>

namespace xplan {

static_assert(std::is_trivially_destructible_v<JsonNode> && std::is_trivially_destructible_v<JsonMember>,
              "the arena frees its chunks without looking inside");

namespace {

constexpr size_t kIndexFrom = 32;

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
  JsonParser(JsonDocument& doc, std::string_view text, int max_depth)
      : doc_(doc), in_(text), max_depth_(max_depth) {}

  const JsonNode* document() {
    in_.space();
    if (in_.done()) return in_.fail("there is no value: the input is empty"), nullptr;
    const JsonNode* root = value(0);
    return root && in_.end() ? root : nullptr;
  }
  const JsonError& error() const { return in_.error(); }

 private:
  using Kind = JsonNode::Kind;
  JsonNode* make(Kind kind, size_t begin, std::string_view text = {}) {
    auto* n = new (doc_.allocate(sizeof(JsonNode))) JsonNode;
    n->kind = kind;
    n->begin = static_cast<uint32_t>(begin);
    n->end = static_cast<uint32_t>(in_.at());
    n->text = text;
    return n;
  }

  const JsonNode* value(int depth) {
    const size_t begin = in_.at();
    switch (in_.kind()) {
      case JsonCursor::Kind::Object:
        return object(depth);
      case JsonCursor::Kind::Array:
        return array(depth);
      case JsonCursor::Kind::String: {
        JsonCursor::String s;
        return in_.string(s) ? make(Kind::String, begin, decoded(s)) : nullptr;
      }
      case JsonCursor::Kind::Number:
        return in_.number() ? make(Kind::Number, begin, in_.since(begin)) : nullptr;
      case JsonCursor::Kind::True:
        return in_.word("true") ? make(Kind::True, begin) : nullptr;
      case JsonCursor::Kind::False:
        return in_.word("false") ? make(Kind::False, begin) : nullptr;
      case JsonCursor::Kind::Null:
        return in_.word("null") ? make(Kind::Null, begin) : nullptr;
      case JsonCursor::Kind::End:
        break;
    }
    return nullptr;
  }

  std::string_view decoded(const JsonCursor::String& s) {
    if (s.plain) return s.raw;
    scratch_.clear();
    decode_json_string(scratch_, s.raw);
    char* copy = static_cast<char*>(doc_.allocate(scratch_.size()));
    if (!scratch_.empty()) std::memcpy(copy, scratch_.data(), scratch_.size());
    return {copy, scratch_.size()};
  }

  // Passes over an opening bracket. False: too deep.
  bool open(int depth) {
    if (depth >= max_depth_)
      return in_.fail("the nesting is deeper than " + std::to_string(max_depth_) + " levels");
    in_.skip(1);
    in_.space();
    return true;
  }
  // Behind an element or a member: whether another one follows. At the last one the cursor is behind the
  // closing bracket.
  enum class Next : uint8_t { Item, Closed, Failed };
  Next next(size_t open, char close, std::string_view missing, std::string_view unclosed) {
    in_.space();
    if (in_.peek() == close) return in_.skip(1), Next::Closed;
    if (!in_.done() && !in_.comma(close, missing)) return Next::Failed;
    return in_.done() ? (in_.fail_at(open, unclosed), Next::Failed) : Next::Item;
  }

  const JsonNode* array(int depth) {
    const size_t begin = in_.at(), base = items_.size();
    if (!open(depth)) return nullptr;
    if (in_.peek() == ']') return in_.skip(1), make(Kind::Array, begin);
    for (Next n = Next::Item; n != Next::Closed;) {
      const JsonNode* item = value(depth + 1);
      if (!item) return nullptr;
      items_.push_back(item);
      n = next(begin, ']', "a comma is expected between elements", "this array has no closing bracket");
      if (n == Next::Failed) return nullptr;
    }
    JsonNode* n = make(Kind::Array, begin);
    const size_t count = items_.size() - base;
    auto* copy = static_cast<const JsonNode**>(doc_.allocate(count * sizeof(JsonNode*)));
    std::copy(items_.begin() + static_cast<ptrdiff_t>(base), items_.end(), copy);
    n->items = {copy, count};
    items_.resize(base);
    return n;
  }

  const JsonNode* object(int depth) {
    const size_t begin = in_.at(), base = members_.size();
    if (!open(depth)) return nullptr;
    if (in_.peek() == '}') return in_.skip(1), make(Kind::Object, begin);
    if (in_.done()) return in_.fail_at(begin, "this object has no closing brace"), nullptr;
    for (Next n = Next::Item; n != Next::Closed;) {
      JsonMember m{};
      JsonCursor::String name;
      m.key_begin = static_cast<uint32_t>(in_.at());
      if (!in_.key(name)) return nullptr;
      m.key = decoded(name);
      m.key_end = m.key_begin + static_cast<uint32_t>(name.raw.size()) + 2;
      if (!(m.value = value(depth + 1))) return nullptr;
      members_.push_back(m);
      n = next(begin, '}', "a comma is expected between members", "this object has no closing brace");
      if (n == Next::Failed) return nullptr;
    }
    JsonNode* n = make(Kind::Object, begin);
    take_members(*n, base);
    return n;
  }

  // Moves what waits on the stack from `base` on into the node, with an index where they are many.
  void take_members(JsonNode& n, size_t base) {
    const size_t count = members_.size() - base;
    n.indexed = count >= kIndexFrom;
    auto* copy = static_cast<JsonMember*>(
        doc_.allocate(count * sizeof(JsonMember) + (n.indexed ? count * sizeof(uint32_t) : 0)));
    std::uninitialized_copy(members_.begin() + static_cast<ptrdiff_t>(base), members_.end(), copy);
    n.members = {copy, count};
    members_.resize(base);
    if (!n.indexed) return;
    auto* index = reinterpret_cast<uint32_t*>(copy + count);
    for (size_t i = 0; i < count; ++i) index[i] = static_cast<uint32_t>(i);
    std::sort(index, index + count, [&](uint32_t a, uint32_t b) {
      int c = copy[a].key.compare(copy[b].key);
      return c ? c < 0 : a < b;
    });
  }

  JsonDocument& doc_;
  JsonCursor in_;
  int max_depth_;
  std::vector<const JsonNode*> items_;
  std::vector<JsonMember> members_;
  std::string scratch_;
};

bool JsonDocument::read(std::string_view text, JsonError& error, int max_depth) {
  text_ = text;
  if (text.size() > UINT32_MAX)
    error = {"the input is larger than 4 GiB", 0};
  else if (JsonParser parser(*this, text, max_depth); !(root_ = parser.document()))
    error = parser.error();
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
