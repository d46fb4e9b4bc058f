// Diff: before and after, compared along a schema, as a tree ready to print.
//
// Who calls it: human_change.cc (resources), human_plan.cc (outputs), human_state.cc (a state is a diff
// without changes).
// Rules: what reviewers know: an attribute that is null on both sides does not exist; a value that is missing
// (not in a map, behind the end of a list) differs from a null that was written; a mark on either side hides
// the value; an unknown new value shows the old one before it. Lists are paired by pairing.h, sets by
// equality; in the smart style, both by smart/place.h, unless a path into them forces replacement or decides
// what is relevant: then places count. Cost: linear, but for list pairing. Depth is that of the values
// (limited by their types). Thread-safety: pure functions; the tree lives in the arena of its Differ.
#pragma once
#include <span>
#include <string_view>
#include <vector>

#include "core/schema/schema.h"
#include "core/value/path.h"
#include "render/diff_style.h"
#include "render/item.h"
#include "render/smart/place.h"

namespace xplan::render {

enum class Act : uint8_t { NoOp, Create, Update, Delete };
inline Act join(Act whole, Act part) {
  return part == Act::NoOp ? whole : part == whole ? whole : Act::Update;
}

// Which removed elements of a list may be shown as changed into an added one, inside.
enum class Openable : uint8_t { None, Objects, All };

struct Diff;
struct BlockGroup {  // all nested blocks of one type
  std::string_view name;
  std::span<const Diff* const> blocks;
  std::span<const std::string_view> labels;  // of a map: its keys
  std::span<const Placement> places;         // of a list in the smart style, otherwise empty
  bool replace = false, before_sensitive = false, after_sensitive = false;
};

struct Diff {
  enum class Form : uint8_t {
    Scalar,        // bool, number or null: before, after
    Text,          // string: before, after
    Object,        // attributes: keys, children
    NestedObject,  // the same, of a nested attribute type
    Map,
    NestedMap,
    List,
    NestedList,
    Set,
    NestedSet,
    Block,      // attributes (keys, children) and groups
    Unknown,    // children[0]: what was there before, if anything
    Sensitive,  // children[0]: what is hidden
    SensitiveBlock,
    TypeChange,  // children[0] -> children[1]
    WriteOnly,
  };
  Form form = Form::Scalar;
  Act act = Act::NoOp;
  bool replace = false;
  bool before_sensitive = false, after_sensitive = false;
  const Item* before = nullptr;
  const Item* after = nullptr;
  std::span<const Diff* const> children;
  std::span<const std::string_view> keys;
  std::span<const BlockGroup> groups;
  std::span<const Placement> places;  // of the children of a list in the smart style, otherwise empty
  bool keyed = false;  // an Object whose keys are part of the value: of a map, or of what no schema declares
                       // and a mark hides
};

class Differ {
 public:
  explicit Differ(Arena& arena, DiffStyle style = DiffStyle::Compat) : arena_(arena), style_(style) {}
  // Values of the block's implied type, or null. `relevant` restricts what counts as changed (drift).
  const Diff* resource(const Value& before, const Value& after, const schema::Block& block,
                       const std::vector<Path>& replace, const std::vector<Path>* relevant = nullptr);
  // Values of any type: outputs.
  const Diff* value(const Value& before, const Value& after, bool before_sensitive, bool after_sensitive);
  // A value beside itself, along its own type.
  const Diff* typed_value(const Value& v, bool sensitive);
  // Two JSON documents inside strings. A side that is null does not exist.
  const Diff* json(const Item* before, const Item* after);

 private:
  struct Pair;
  const Diff* block(const Pair& p, const schema::Block& b);
  const Diff* block_known(const Pair& p, const schema::Block& b);
  bool block_group(const Pair& p, const schema::NestedBlock& type, BlockGroup& out, Act& act);
  const Diff* attribute(const Pair& p, const schema::Attribute& a, Act parent);
  const Diff* nested(const Pair& p, const schema::Object& o, schema::Nesting nesting);
  const Diff* typed(const Pair& p, Type type);
  const Diff* dynamic(const Pair& p);
  const Diff* object(const Pair& p, const schema::Object* nested, Type type);
  const Diff* text_or_scalar(const Pair& p, bool text);
  bool reorders(const Pair& p) const;
  template <class F>
  const Diff* hidden(const Pair& p, Diff::Form form, F compute);
  template <class F>
  const Diff* unknown(const Pair& p, bool unknown_children, F compute);
  template <class F>
  const Diff* sequence(const Pair& p, Openable openable, Diff::Form form, F compute);
  template <class F>
  const Diff* by_index(const Pair& p, size_t count, Diff::Form form, F compute);
  template <class F>
  void set_elements(const Pair& p, std::vector<const Diff*>& out, F compute);
  template <class F>
  const Diff* map(const Pair& p, bool explicit_only, Diff::Form form, F compute);

  Diff* make(Diff::Form form, Act act, const Pair& p);
  template <class T>
  std::span<const T> keep(const std::vector<T>& v);
  Arena& arena_;
  DiffStyle style_;
};

}  // namespace xplan::render
