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
#include <string>
#include <string_view>
#include <vector>

namespace xplan {

class JsonScan {
 public:
  enum class Kind : uint8_t { Object, Array, String, Number, True, False, Null, End };
  explicit JsonScan(std::string_view text);

  Kind peek();
  bool begin_object();                 // fails when the next value is something else
  bool member(std::string_view& key);  // false behind the last member
  bool begin_array();
  bool item();                // another item follows; false behind the last
  std::string_view raw();     // passes over a value: its text
  std::string_view string();  // decoded
  bool take(
      std::string_view text);  // passes over exactly this text of a value; false: something else is next
  bool boolean();
  bool take_null();  // passes over a null if there is one
  bool at_end();     // only white space is left; otherwise fails

  void fail(std::string phrase) { fail_at(std::move(phrase), at_); }
  bool failed() const { return !error_.empty(); }
  std::string error() const;  // "line 3, column 7: a comma is expected"
  size_t offset() const { return at_; }

 private:
  void fail_at(std::string phrase, size_t offset);
  void blank();
  bool scan_string(bool& escapes);  // at the opening quote
  bool scan_number();
  bool scan_word(std::string_view word);
  bool scan_key();

  std::string_view text_;
  size_t at_ = 0, value_at_ = 0;
  std::vector<bool> first_;  // one entry per open container
  std::string decoded_, error_;
  size_t error_at_ = 0;
};

const char* json_kind_name(JsonScan::Kind k);  // "an object", "a string", …

}  // namespace xplan
