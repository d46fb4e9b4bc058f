// JsonScan: reads JSON text front to back, member by member, and hands out whole values as slices of the
// text.
//
// Who calls it: reading of state files and of journals.
// Contract: everything that is passed over is checked to be JSON (nesting up to 1,000 levels). After the
// first problem every function says "nothing more" or returns an empty result, so callers look at failed()
// once, at the end. A key or a decoded string is valid until the next call. Cost: one pass, no tree: a state
// file of 100 MB is attributes nearly throughout, and they are kept as text. Thread-safety: one scanner per
// thread. Why not JsonDocument: its nodes take several times the memory of the text and most are never looked
// at.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "core/base/json_cursor.h"

namespace xplan {

class JsonScan {
 public:
  using Kind = JsonCursor::Kind;
  explicit JsonScan(std::string_view text) : in_(text) {}
  explicit JsonScan(Arrival& arrival) : in_(arrival) {}  // a text of which something has begun to arrive

  Kind peek();
  bool begin_object();                 // fails when the next value is something else
  bool begin_strict_object();          // likewise when a member occurs twice
  bool member(std::string_view& key);  // false behind the last member
  bool begin_array();
  bool item();                // another item follows; false behind the last
  std::string_view raw();     // passes over a value: its text
  std::string_view string();  // decoded
  bool take(
      std::string_view text);  // passes over exactly this text of a value; false: something else is next
  bool boolean();
  bool take_null();  // passes over a null if there is one
  bool at_end();     // only whitespace is left; otherwise fails

  void fail(std::string_view phrase) { in_.fail(phrase); }
  bool failed() const { return in_.failed(); }
  std::string error() const {
    return in_.error().text(in_.text());
  }  // "line 3, column 7: a comma is expected"
  size_t offset() const { return in_.at(); }

 private:
  enum class Container : uint8_t { Array, Object };
  struct Open {
    Container kind;
    size_t begin;
    bool first = true;
    size_t names = std::string::npos;  // of its members so far, in names_; npos: they are not looked at
    // The same, where they are no longer few.
    std::unique_ptr<std::unordered_set<std::string>> many = nullptr;
  };
  bool expect(Kind kind);  // the next value is of it
  bool begin(Kind kind);
  bool more(Container kind);  // another element or member follows in the innermost container
  bool is_new(Open& object, std::string_view key);
  std::string_view text_of(const JsonCursor::String& s);

  JsonCursor in_;
  std::vector<Open> open_;
  std::string decoded_, names_;
};

const char* json_kind_name(JsonScan::Kind k);  // "an object", "a string", …

}  // namespace xplan
