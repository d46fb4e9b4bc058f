// JsonWriter: appends JSON text to a string buffer, in the exact form that the reference tools expect.
//
// Who calls it: value/json, state, render (plan, state and configuration JSON), the streaming UI.
// Contract: the caller keeps begin/end balanced; commas, colons and indentation are the writer's job.
// Form: `<`, `>`, `&`, U+2028 and U+2029 are escaped as \u00XX/\u20XX (as Go's encoder does), invalid UTF-8
// becomes U+FFFD; keys keep the order in which they are written. With indent 2 the layout is that of
// state files: one member per line, empty containers as {} and [].
// Cost: linear; no DOM. A sink, when given, is called with chunks of ~64 KiB so memory does not grow.
// Thread-safety: one writer per thread.
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace xplan {

class JsonWriter {
 public:
  using Sink = std::function<void(std::string_view)>;
  explicit JsonWriter(int indent = 0) : indent_(indent) {}
  JsonWriter(Sink sink, int indent) : sink_(std::move(sink)), indent_(indent) {}

  void begin_object() { open('{'); }
  void end_object() { close('}'); }
  void begin_array() { open('['); }
  void end_array() { close(']'); }
  void key(std::string_view k);
  void string(std::string_view s);
  void boolean(bool b) { raw(b ? "true" : "false"); }
  void null() { raw("null"); }
  void integer(int64_t n);
  void raw(std::string_view json);  // one complete, already encoded value
  // Shorthands for an object member.
  void member(std::string_view k, std::string_view s) { key(k), string(s); }
  void member(std::string_view k, const char* s) { key(k), string(s); }
  void member(std::string_view k, bool b) { key(k), boolean(b); }
  void member(std::string_view k, int64_t n) { key(k), integer(n); }
  void member(std::string_view k, int n) { key(k), integer(n); }

  const std::string& text() const { return out_; }  // what has not gone to the sink yet
  std::string take() { return std::move(out_); }
  void flush();

 private:
  void open(char c);
  void close(char c);
  void before_value();
  void newline();
  void maybe_flush() {
    if (sink_ && out_.size() > 65536) flush();
  }

  std::string out_;
  Sink sink_;
  int indent_;
  std::vector<bool> has_items_;  // one entry per open container
  bool after_key_ = false;
};

// Appends `s` quoted and escaped as above.
void append_json_string(std::string& out, std::string_view s);

}  // namespace xplan
