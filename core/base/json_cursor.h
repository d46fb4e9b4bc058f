// JsonCursor: the tokens of a JSON text, one after the other.
//
// Who calls it: JsonDocument (json_reader.cc) makes a tree of them, JsonScan (json_scan.h) hands out slices.
// Contract: each function takes exactly one token at the cursor and leaves the cursor after it, or fails.
// The first problem is kept with its offset; whoever calls on after it gets the same answer. Strings and
// numbers are checked against RFC 8259. A byte order mark at the start is passed over. A text that is still
// arriving is waited for where it is needed; one that never becomes whole is an error. Cost: one look at each
// byte. Thread-safety: one cursor, one thread.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace xplan {

class Arrival;

struct JsonError {
  std::string message;  // a phrase: "a comma is expected between members"
  size_t offset = 0;
  std::string text(
      std::string_view source) const;  // "line 3, column 7: a comma is …"; columns count characters
};

class JsonCursor {
 public:
  enum class Kind : uint8_t { Object, Array, String, Number, True, False, Null, End };
  struct String {
    std::string_view raw;  // between the quotes
    bool plain = true;     // it stands there as it is meant: no escapes, no bytes that are not UTF-8
  };

  explicit JsonCursor(std::string_view text);
  explicit JsonCursor(Arrival& arrival);  // of which something has begun to arrive

  // As far as it is there.
  std::string_view text() const { return {begin_, static_cast<size_t>(end_ - begin_)}; }
  size_t at() const { return static_cast<size_t>(p_ - begin_); }
  std::string_view since(size_t from) const { return {begin_ + from, at() - from}; }
  bool done() { return !more(); }
  char peek() { return more() ? *p_ : '\0'; }
  void skip(size_t bytes) { p_ += bytes; }
  void space() {
    while (more() && (*p_ == ' ' || *p_ == '\n' || *p_ == '\r' || *p_ == '\t')) ++p_;
  }
  // The text goes on as given here.
  bool follows(std::string_view text) {
    return more(text.size()) && std::string_view(p_, text.size()) == text;
  }

  Kind kind();                       // of the value that begins here; End and a failure where none does
  bool string(String& out);          // at its opening quote
  bool number();                     // at its first character
  bool word(std::string_view word);  // true, false, null
  // A member's name, the colon and the space around it.
  bool key(String& out);
  // Between two elements or members: takes the comma and the space after it. Fails where none is, with
  // `missing`, or where a closing bracket follows it.
  bool comma(char close, std::string_view missing);
  bool end();  // nothing but space is left

  bool fail(std::string_view message) { return fail_at(at(), message); }  // always false
  bool fail_at(size_t offset, std::string_view message);
  bool failed() const { return !error_.message.empty(); }
  const JsonError& error() const { return error_; }

 private:
  // Whether that many bytes follow, after waiting for them where they may still arrive.
  bool more(size_t bytes = 1) {
    return static_cast<size_t>(end_ - p_) >= bytes || (arrival_ && await(bytes));
  }
  bool await(size_t bytes);
  bool escape();  // at the backslash
  bool fail_value();
  const char *begin_, *p_, *end_;
  Arrival* arrival_ = nullptr;  // null: all that there is, is there
  JsonError error_;
};

// What a string says; ill-formed bytes and lone surrogates are U+FFFD. Precondition: it was taken by a
// cursor.
void decode_json_string(std::string& out, std::string_view raw);

}  // namespace xplan
