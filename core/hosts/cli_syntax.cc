// The parser for the CLI configuration file, whose syntax is older than that of configurations, and for its
// JSON form. Tokens are blanked in the source text kept for messages.
#include "core/hosts/cli_syntax.h"

#include "core/base/json_reader.h"
#include "core/base/text.h"

namespace xplan::hosts {
namespace {

constexpr int kMaxNesting = 64;

bool word_start(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool digit(char c) {
  return c >= '0' && c <= '9';
}

class SettingsReader {
 public:
  SettingsReader(std::string_view text, uint32_t base, Diagnostics& diags)
      : s_(text), base_(base), diags_(diags) {}

  bool items(std::vector<CliItem>& out, bool top, int depth) {
    if (depth > kMaxNesting) return fail("Blocks are nested too deeply here.");
    for (;;) {
      skip(true);
      if (at_ == s_.size()) return top || fail("A closing brace is missing before the end of the file.");
      if (s_[at_] == '}') return top ? fail("This brace does not close anything.") : (++at_, true);
      CliItem item;
      const size_t begin = at_;
      if (!name(item.name)) return false;
      size_t end = at_;
      for (skip(false); at_ < s_.size() && s_[at_] == '"'; skip(false)) {
        if (!text(item.labels.emplace_back())) return false;
        end = at_;
      }
      item.range = range(begin, end);
      if (at_ < s_.size() && (s_[at_] == '=' || s_[at_] == ':') && item.labels.empty()) {
        const size_t sign = at_++;
        skip(true);
        // What follows on a line below is the next item, unless it is a value.
        if (at_ == s_.size() || s_[at_] == '}' || begins_item())
          return fail("A value is missing after this equals sign.", sign);
        if (!value(item.value, depth)) return false;
      } else if (at_ < s_.size() && s_[at_] == '{') {
        item.block = true;
        if (!value(item.value, depth)) return false;
      } else {
        return fail("An equals sign and a value, or a block in braces, is expected after the name.");
      }
      out.push_back(std::move(item));
      skip(false);
      if (at_ < s_.size() && s_[at_] == ',') ++at_;
    }
  }

 private:
  Range range(size_t begin, size_t end) const {
    return {base_ + static_cast<uint32_t>(begin), base_ + static_cast<uint32_t>(end)};
  }
  bool fail(std::string why) { return fail(std::move(why), at_); }
  bool fail(std::string why, size_t at) {
    diags_.error("Invalid CLI configuration file", std::move(why), range(at, std::min(at + 1, s_.size())));
    return false;
  }

  // A name with what follows names.
  bool begins_item() {
    const size_t begin = at_;
    std::string ignored;
    bool out = word_start(s_[at_]) && name(ignored);
    if (out) {
      skip(false);
      out = at_ < s_.size() && (s_[at_] == '=' || s_[at_] == '"' || s_[at_] == '{');
    }
    at_ = begin;
    return out;
  }

  void skip(bool newlines) {
    while (at_ < s_.size()) {
      char c = s_[at_];
      if (c == ' ' || c == '\t' || c == '\r' || (newlines && c == '\n')) {
        ++at_;
      } else if (c == '#' || (c == '/' && s_.substr(at_, 2) == "//")) {
        at_ = std::min(s_.find('\n', at_), s_.size());
      } else if (s_.substr(at_, 2) == "/*") {
        size_t end = s_.find("*/", at_ + 2);
        at_ = end == std::string_view::npos ? s_.size() : end + 2;
      } else {
        return;
      }
    }
  }

  bool name(std::string& out) {
    if (s_[at_] == '"') return text(out);
    if (!word_start(s_[at_])) return fail("A name is expected here.");
    size_t begin = at_;
    while (at_ < s_.size() && (word_start(s_[at_]) || digit(s_[at_]) || s_[at_] == '-' || s_[at_] == '.'))
      ++at_;
    out = s_.substr(begin, at_ - begin);
    return true;
  }

  bool text(std::string& out) {
    for (++at_; at_ < s_.size() && s_[at_] != '\n'; ++at_) {
      char c = s_[at_];
      if (c == '"') return ++at_, true;
      if (c == '\\' && at_ + 1 < s_.size()) {
        char e = s_[++at_];
        if (e != 'n' && e != 't' && e != 'r' && e != '"' && e != '\\')
          return fail("A backslash can be followed only by n, t, r, a quotation mark or a backslash.");
        c = e == 'n' ? '\n' : e == 't' ? '\t' : e == 'r' ? '\r' : e;
      }
      out += c;
    }
    return fail("The closing quotation mark is missing.");
  }

  bool value(CliValue& out, int depth) {
    const size_t begin = at_;
    if (at_ == s_.size()) return fail("A value is missing here.");
    char c = s_[at_];
    bool ok = true;
    if (c == '"') {
      out.kind = CliValue::Kind::Text;
      ok = text(out.text);
    } else if (c == '{') {
      out.kind = CliValue::Kind::Object;
      ++at_;
      ok = items(out.object, false, depth + 1);
    } else if (c == '[') {
      out.kind = CliValue::Kind::List;
      if (depth > kMaxNesting) return fail("Lists are nested too deeply here.");
      ++at_;
      for (skip(true); ok && !(at_ < s_.size() && s_[at_] == ']'); skip(true)) {
        if (at_ == s_.size()) return fail("A closing bracket is missing before the end of the file.");
        ok = value(out.list.emplace_back(), depth + 1);
        skip(true);
        if (ok && at_ < s_.size() && s_[at_] == ',')
          ++at_;
        else if (ok && (at_ == s_.size() || s_[at_] != ']'))
          return fail("A comma or a closing bracket is expected here.");
      }
      if (ok) ++at_;
    } else if (digit(c) || c == '-') {
      out.kind = CliValue::Kind::Number;
      for (++at_; at_ < s_.size() && (digit(s_[at_]) || word_start(s_[at_]) || s_[at_] == '.');) ++at_;
      out.text = s_.substr(begin, at_ - begin);
    } else if (word_start(c)) {
      while (at_ < s_.size() && word_start(s_[at_])) ++at_;
      out.text = s_.substr(begin, at_ - begin);
      out.kind = out.text == "null" ? CliValue::Kind::Null : CliValue::Kind::Bool;
      if (out.text != "true" && out.text != "false" && out.text != "null") {
        at_ = begin;
        return fail("A value must be a string in quotation marks, a number, true, false, a list or a block.");
      }
    } else {
      return fail("A value is expected here.");
    }
    out.range = range(begin, at_);
    return ok;
  }

  std::string_view s_;
  uint32_t base_;
  Diagnostics& diags_;
  size_t at_ = 0;
};

// JSON: an object under a name is a block; so is each object of a list. `credentials` and `host` have their
// labels as member names.
CliValue from_json(const JsonNode& n, uint32_t base) {
  CliValue out;
  out.range = {base + n.begin, base + n.end};
  switch (n.kind) {
    case JsonNode::Kind::Null:
      break;
    case JsonNode::Kind::True:
    case JsonNode::Kind::False:
      out.kind = CliValue::Kind::Bool;
      out.text = n.is_true() ? "true" : "false";
      break;
    case JsonNode::Kind::Number:
      out.kind = CliValue::Kind::Number;
      out.text = n.text;
      break;
    case JsonNode::Kind::String:
      out.kind = CliValue::Kind::Text;
      out.text = n.text;
      break;
    case JsonNode::Kind::Array:
      out.kind = CliValue::Kind::List;
      for (const JsonNode* x : n.items) out.list.push_back(from_json(*x, base));
      break;
    case JsonNode::Kind::Object:
      out.kind = CliValue::Kind::Object;
      for (const JsonMember& m : n.members) {
        const Range at{base + m.key_begin, base + m.key_end};
        CliValue v = from_json(*m.value, base);
        bool blocks = v.kind == CliValue::Kind::List && !v.list.empty();
        for (const CliValue& x : v.list) blocks &= x.kind == CliValue::Kind::Object;
        if (blocks) {
          for (CliValue& x : v.list) out.object.push_back({std::string(m.key), {}, true, at, std::move(x)});
        } else {
          bool block = v.kind == CliValue::Kind::Object;
          out.object.push_back({std::string(m.key), {}, block, at, std::move(v)});
        }
      }
      break;
  }
  return out;
}

// The same text with stars for the values of all arguments "token".
std::string without_tokens(const std::string& text) {
  std::string out = text;
  for (size_t at = 0; (at = text.find("token", at)) != std::string::npos;) {
    at += 5;
    size_t i = text.find_first_not_of(" \t\"", at);
    if (i == std::string::npos || (text[i] != '=' && text[i] != ':')) continue;
    i = text.find_first_not_of(" \t\r\n", i + 1);
    if (i == std::string::npos || text[i] != '"') continue;
    for (++i; i < text.size() && text[i] != '"' && text[i] != '\n'; ++i) {
      if (text[i] == '\\' && i + 1 < text.size() && text[i + 1] != '\n') out[i++] = '*';
      out[i] = '*';
    }
    at = i;
  }
  return out;
}

void labels_of_json(CliValue& file) {
  std::vector<CliItem> out;
  for (CliItem& item : file.object) {
    const bool labelled =
        item.name == "credentials" || item.name == "host" || item.name == "credentials_helper";
    if (!labelled || !item.block) {
      out.push_back(std::move(item));
      continue;
    }
    for (CliItem& inner : item.value.object)
      out.push_back({item.name, {inner.name}, inner.block, inner.range, std::move(inner.value)});
  }
  file.object = std::move(out);
}

}  // namespace

std::unique_ptr<CliValue> parse_cli_file(SourceTable& sources, const std::string& path, std::string text,
                                         Diagnostics& diags) {
  // Messages show lines of the file, so what they show has no tokens in it.
  const uint32_t base = sources.add(path, without_tokens(text));
  const std::string_view view = text;
  auto out = std::make_unique<CliValue>();
  out->kind = CliValue::Kind::Object;
  if (trimmed(view).starts_with('{')) {
    JsonError error;
    auto document = JsonDocument::parse(view, error, kMaxNesting);
    if (!document) {
      diags.error(
          "Invalid CLI configuration file", "The file is not valid JSON: " + error.message + ".",
          {base + static_cast<uint32_t>(error.offset), base + static_cast<uint32_t>(error.offset) + 1});
      return nullptr;
    }
    *out = from_json(document->root(), base);
    labels_of_json(*out);
    return out;
  }
  if (!SettingsReader(view, base, diags).items(out->object, true, 0)) return nullptr;
  return out;
}

}  // namespace xplan::hosts
