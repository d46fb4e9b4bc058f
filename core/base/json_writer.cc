// Punctuation, indentation and string escaping of JSON output, and flushing to a sink. Escapes the same
// characters as the reference tools, so that output is byte for byte alike.
#include "core/base/json_writer.h"

#include <charconv>

#include "core/base/utf8.h"

namespace xplan {

void append_json_string(std::string& out, std::string_view s) {
  static constexpr char kHex[] = "0123456789abcdef";
  out.push_back('"');
  size_t i = 0, plain = 0;
  auto flush_plain = [&] { out.append(s, plain, i - plain); };
  while (i < s.size()) {
    unsigned char c = static_cast<unsigned char>(s[i]);
    if (c >= 0x20 && c < 0x80 && c != '"' && c != '\\' && c != '<' && c != '>' && c != '&' && c != 0x7f) {
      ++i;
      continue;
    }
    if (c < 0x80) {
      if (c == 0x7f) {
        ++i;
        continue;
      }
      flush_plain();
      switch (c) {
        case '"':
          out += "\\\"";
          break;
        case '\\':
          out += "\\\\";
          break;
        case '\n':
          out += "\\n";
          break;
        case '\r':
          out += "\\r";
          break;
        case '\t':
          out += "\\t";
          break;
        case '\b':
          out += "\\b";
          break;
        case '\f':
          out += "\\f";
          break;
        default:
          out += "\\u00";
          out.push_back(kHex[c >> 4]);
          out.push_back(kHex[c & 15]);
      }
      plain = ++i;
      continue;
    }
    size_t len = utf8_length_at(s, i);
    if (len == 0) {  // not UTF-8
      flush_plain();
      out += "\\ufffd";
      plain = ++i;
    } else if (len == 3 && c == 0xE2 && static_cast<unsigned char>(s[i + 1]) == 0x80 &&
               (static_cast<unsigned char>(s[i + 2]) & 0xFE) == 0xA8) {
      flush_plain();
      out += (static_cast<unsigned char>(s[i + 2]) & 1) ? "\\u2029" : "\\u2028";
      plain = i += 3;
    } else {
      i += len;
    }
  }
  flush_plain();
  out.push_back('"');
}

void JsonWriter::newline() {
  out_.push_back('\n');
  out_.append(has_items_.size() * static_cast<size_t>(indent_), ' ');
}

void JsonWriter::before_value() {
  if (after_key_) {
    after_key_ = false;
    return;
  }
  if (has_items_.empty()) return;
  if (has_items_.back()) out_.push_back(',');
  has_items_.back() = true;
  if (indent_) newline();
}

void JsonWriter::open(char c) {
  before_value();
  out_.push_back(c);
  has_items_.push_back(false);
  maybe_flush();
}

void JsonWriter::close(char c) {
  bool items = has_items_.back();
  has_items_.pop_back();
  if (items && indent_) newline();
  out_.push_back(c);
  maybe_flush();
}

void JsonWriter::key(std::string_view k) {
  before_value();
  append_json_string(out_, k);
  out_.push_back(':');
  if (indent_) out_.push_back(' ');
  after_key_ = true;
}

void JsonWriter::string(std::string_view s) {
  before_value();
  append_json_string(out_, s);
  maybe_flush();
}

void JsonWriter::integer(int64_t n) {
  char buf[24];
  auto r = std::to_chars(buf, buf + sizeof buf, n);
  raw({buf, static_cast<size_t>(r.ptr - buf)});
}

void JsonWriter::raw(std::string_view json) {
  before_value();
  out_ += json;
  maybe_flush();
}

void JsonWriter::flush() {
  if (sink_ && !out_.empty()) sink_(out_), out_.clear();
}

}  // namespace xplan
