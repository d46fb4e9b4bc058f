// Reads JSON and YAML documents inside strings, within bounds.
#include "render/smart/document.h"

#include <algorithm>
#include <new>
#include <vector>

#include "core/eval/yaml.h"
#include "render/smart/lines.h"

namespace xplan::render {

namespace {

constexpr size_t kMostJsonBytes = 16 << 20, kMostYamlBytes = 2 << 20, kMostYamlNodes = 400'000;
constexpr size_t kMostYamlDocuments = 2'000;
constexpr int kMostDocumentLevels = 40;  // beyond that, no line of a tree fits

size_t members(const JsonNode& n) {
  size_t count = n.members.size();
  for (const JsonMember& m : n.members) count += members(*m.value);
  for (const JsonNode* e : n.items) count += members(*e);
  return count;
}
size_t members(const Item& item) {
  size_t count = item.is_object() ? item.items.size() : 0;
  for (const Item& e : item.items) count += members(e);
  return count;
}

bool too_deep(const Item& item, int levels) {
  return levels == 0 || std::any_of(item.items.begin(), item.items.end(),
                                    [&](const Item& e) { return too_deep(e, levels - 1); });
}

// Counts no further than `left`; false when there are more.
bool fits(const Value& v, size_t& left) {
  if (left == 0) return false;
  --left;
  if (v.is_null() || v.is_bool() || v.is_number() || v.is_string()) return true;
  for (const Value& e : v.elements())
    if (!fits(e, left)) return false;
  return true;
}

// Items view the strings of their values; these have their own.
Item kept(Item item, Arena& arena) {
  if (item.kind == Item::Kind::String && !item.text.empty()) {
    char* text = arena_array<char>(arena, item.text.size());
    item.text.copy(text, item.text.size());
    item.text = {text, item.text.size()};
  }
  Item* items = arena_array<Item>(arena, item.items.size());
  for (size_t i = 0; i < item.items.size(); ++i) new (items + i) Item(kept(item.items[i], arena));
  item.items = {items, item.items.size()};
  return item;
}

bool is_mark(std::string_view line) {  // of the beginning of a document
  return line.starts_with("---") && (line.size() == 3 || line[3] == ' ' || line[3] == '\r');
}

// One document a piece; what is before the first mark is one only when there is something in it.
std::vector<std::string_view> pieces(std::string_view text) {
  std::vector<std::string_view> out;
  size_t begin = 0, at = 0;
  bool content = false;
  for_each_line(text, [&](std::string_view line) {
    if (is_mark(line)) {
      if (content) out.push_back(text.substr(begin, at - begin));
      begin = at;
      content = false;
    } else if (const size_t i = line.find_first_not_of(" \t\r"); i != line.npos && line[i] != '#') {
      content = true;
    }
    at += line.size() + 1;
  });
  if (content) out.push_back(text.substr(begin));
  return out;
}

std::vector<std::string_view> comments(std::string_view text) {
  std::vector<std::string_view> out;
  for_each_line(text, [&](std::string_view line) {
    const size_t i = line.find_first_not_of(" \t");
    if (i == line.npos || line[i] != '#') return;
    line = line.substr(i);
    if (line.ends_with('\r')) line.remove_suffix(1);
    out.push_back(line);
  });
  return out;
}

}  // namespace

const Item* json_document(std::string_view text, Arena& arena) {
  if (text.size() > kMostJsonBytes) return nullptr;
  const size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == text.npos || (text[begin] != '{' && text[begin] != '[')) return nullptr;
  JsonError error;
  auto document = JsonDocument::parse(text, error);
  if (!document) return nullptr;
  Item* out = new (arena_array<Item>(arena, 1)) Item(make_item(document->root(), arena));
  if (too_deep(*out, kMostDocumentLevels)) return nullptr;
  return members(document->root()) == members(*out) ? out : nullptr;
}

const Item* yaml_document(std::string_view text, Arena& arena, size_t& count) {
  if (text.size() > kMostYamlBytes || text.starts_with("#!")) return nullptr;
  // What no document of more than a scalar is without.
  if (text.find(':') == text.npos && text.find("- ") == text.npos) return nullptr;
  const std::vector<std::string_view> all = pieces(text);
  count = all.size();
  if (!count || count > kMostYamlDocuments) return nullptr;
  std::vector<Value> values;
  size_t left = kMostYamlNodes;
  for (std::string_view piece : all) {
    Result<Value> v = eval::decode_yaml(piece);
    if (!v || !fits(*v, left)) return nullptr;
    if (v->kind() != Kind::Obj && v->kind() != Kind::Seq) return nullptr;
    values.push_back(std::move(*v));
  }
  const Value whole = count == 1 ? values[0] : Value::tuple(std::move(values));
  const Item item = make_item(whole, arena);
  if (too_deep(item, kMostDocumentLevels)) return nullptr;
  return new (arena_array<Item>(arena, 1)) Item(kept(item, arena));
}

bool yaml_comments_differ(std::string_view before, std::string_view after) {
  return comments(before) != comments(after);
}

}  // namespace xplan::render
