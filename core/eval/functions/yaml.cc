// yamlencode and yamldecode: libyaml events to values and back. What a scalar means is decided in
// yaml_scalar.cc.
#include <yaml.h>

#include <memory>
#include <unordered_map>

#include "core/eval/function.h"
#include "core/eval/functions/yaml_scalar.h"
#include "core/eval/limits.h"
#include "core/eval/yaml.h"

namespace xplan::eval {

namespace {

constexpr int kMaxDepth = 1000;
constexpr std::string_view kMapTag = "tag:yaml.org,2002:map", kSequenceTag = "tag:yaml.org,2002:seq";

// Encoding.

class Emitter {
 public:
  Emitter() {
    yaml_emitter_initialize(&emitter_);
    yaml_emitter_set_output(&emitter_, write, &out_);
    yaml_emitter_set_unicode(&emitter_, 1);
  }
  ~Emitter() { yaml_emitter_delete(&emitter_); }
  Emitter(const Emitter&) = delete;

  bool document(const Value& v) {
    yaml_event_t e;
    ok_ = yaml_stream_start_event_initialize(&e, YAML_UTF8_ENCODING);
    emit(e);
    ok_ = ok_ && yaml_document_start_event_initialize(&e, nullptr, nullptr, nullptr, 1);
    emit(e);
    value(v, 0);
    ok_ = ok_ && yaml_document_end_event_initialize(&e, 1);
    emit(e);
    ok_ = ok_ && yaml_stream_end_event_initialize(&e);
    emit(e);
    // The document end mark is written behind plain scalars and nothing else, whatever the library's version
    // does. (No content line can look like it: content is indented or quoted.)
    constexpr std::string_view kEnd = "\n...\n";
    if (ok_ && std::string_view(out_).ends_with(kEnd)) out_.resize(out_.size() - kEnd.size() + 1);
    if (ok_ && (v.is_null() || v.is_bool() || v.is_number())) out_ += "...\n";
    return ok_;
  }
  std::string take() { return std::move(out_); }

 private:
  static int write(void* data, unsigned char* bytes, size_t n) {
    std::string& out = *static_cast<std::string*>(data);
    if (out.size() + n > kMaxStringBytes) return 0;
    out.append(reinterpret_cast<char*>(bytes), n);
    return 1;
  }
  // Consumes the event.
  void emit(yaml_event_t& e) {
    if (ok_) ok_ = yaml_emitter_emit(&emitter_, &e);
  }
  void scalar(std::string_view text, yaml_scalar_style_t style) {
    yaml_event_t e;
    auto* bytes = reinterpret_cast<const yaml_char_t*>(text.data());
    ok_ = ok_ && yaml_scalar_event_initialize(&e, nullptr, nullptr, bytes, int(text.size()), 1, 1, style);
    emit(e);
  }
  void string(std::string_view s) {
    if (s.empty()) s = "";
    bool lines = s.find('\n') != std::string_view::npos;
    scalar(s, lines ? YAML_LITERAL_SCALAR_STYLE : YAML_DOUBLE_QUOTED_SCALAR_STYLE);
  }
  void value(const Value& v, int depth) {
    if (depth > kMaxDepth) ok_ = false;
    if (!ok_) return;
    yaml_event_t e;
    if (v.is_null()) return scalar("null", YAML_PLAIN_SCALAR_STYLE);
    switch (v.kind()) {
      case Kind::Bool:
        return scalar(v.as_bool() ? "true" : "false", YAML_PLAIN_SCALAR_STYLE);
      case Kind::Int:
      case Kind::Num: {
        Number n = v.as_number();
        return scalar(n.is_infinite() ? (n.sign() < 0 ? "-Inf" : "+Inf") : n.text(), YAML_PLAIN_SCALAR_STYLE);
      }
      case Kind::Str:
        return string(v.as_string());
      case Kind::Seq:
      case Kind::Set:
        ok_ = yaml_sequence_start_event_initialize(&e, nullptr, nullptr, 1, YAML_BLOCK_SEQUENCE_STYLE);
        emit(e);
        for (const Value& item : v.elements()) value(item, depth + 1);
        ok_ = ok_ && yaml_sequence_end_event_initialize(&e);
        return emit(e);
      case Kind::Map:
      case Kind::Obj:
        ok_ = yaml_mapping_start_event_initialize(&e, nullptr, nullptr, 1, YAML_BLOCK_MAPPING_STYLE);
        emit(e);
        for (size_t i = 0; i < v.length(); i++) {
          string(v.kind() == Kind::Map ? v.map_key(i) : v.type().attr_names()[i].sv());
          value(v.elements()[i], depth + 1);
        }
        ok_ = ok_ && yaml_mapping_end_event_initialize(&e);
        return emit(e);
      case Kind::Null:
      case Kind::Unknown:
      case Kind::TypeVal:
        ok_ = false;
    }
  }

  yaml_emitter_t emitter_;
  std::string out_;
  bool ok_ = true;
};

Value fn_yamlencode(std::span<const Value> a, const CallContext&, CallError& error) {
  if (!a[0].is_wholly_known()) return Value::unknown(Type::string());
  Emitter emitter;
  if (!emitter.document(a[0])) {
    error = {
        "the value cannot be written as YAML: it is nested too deeply, too large, or contains something that "
        "YAML cannot express",
        0};
    return {};
  }
  return Value::string(emitter.take());
}

// Decoding.

class Decoder {
 public:
  Decoder(std::string_view text, std::string& error) : error_(error) {
    yaml_parser_initialize(&parser_);
    yaml_parser_set_input_string(&parser_,
                                 reinterpret_cast<const unsigned char*>(text.empty() ? "\n" : text.data()),
                                 text.empty() ? 1 : text.size());
  }
  ~Decoder() {
    clear();
    yaml_parser_delete(&parser_);
  }
  Decoder(const Decoder&) = delete;

  Value document() {
    if (!next() || !next()) return {};  // the start of the stream is always there
    if (event_.type != YAML_DOCUMENT_START_EVENT) return fail("there is no YAML document in the string");
    const yaml_version_directive_t* version = event_.data.document_start.version_directive;
    if (version && (version->major != 1 || version->minor != 1)) {
      return fail(
          "the %YAML line requires a version other than 1.1, the only one supported; without that line, the "
          "same rules apply");
    }
    if (!next()) return {};
    Node root = node(0);
    if (!ok() || !next() || !next()) return {};  // the end of the document is always there
    if (event_.type != YAML_STREAM_END_EVENT)
      return fail("there is more than one YAML document in the string");
    return std::move(root.value);
  }

 private:
  struct Node {
    Value value;
    size_t weight = 1;  // nodes it would have without aliases
  };
  struct Anchor {
    Node node;
    bool open = true;
  };

  bool ok() const { return error_.empty(); }
  void clear() {
    if (have_event_) yaml_event_delete(&event_);
    have_event_ = false;
  }
  bool next() {
    clear();
    if (yaml_parser_parse(&parser_, &event_)) {
      have_event_ = true;
      mark_ = event_.start_mark;
      return true;
    }
    mark_ = parser_.problem_mark;
    switch (parser_.error) {
      case YAML_MEMORY_ERROR:
        fail("there is not enough memory to read it");
        break;
      case YAML_READER_ERROR:
        error_ = "the YAML string contains a character that is not allowed, at byte " +
                 std::to_string(parser_.problem_offset + 1);
        break;
      case YAML_SCANNER_ERROR:
        fail("this is not valid YAML");
        break;
      default: {
        const std::string_view within = parser_.context ? parser_.context : "";
        const bool list = within == "while parsing a flow sequence";
        if (list || within == "while parsing a flow mapping") {
          mark_ = parser_.context_mark;
          fail(list ? "the list that begins here is not closed, or lacks a \",\" between two elements"
                    : "the mapping that begins here is not closed, or lacks a \",\" between two entries");
        } else {
          fail("this does not match what is before it; wrong indentation is a common cause");
        }
        break;
      }
    }
    return false;
  }
  Value fail(std::string what) {
    if (ok()) {
      error_ = "line " + std::to_string(mark_.line + 1) + ", column " + std::to_string(mark_.column + 1) +
               " of the YAML string: " + what;
    }
    return {};
  }

  static std::string text_of(const yaml_char_t* s) { return s ? reinterpret_cast<const char*>(s) : ""; }
  static ScalarStyle style_of(yaml_scalar_style_t s) {
    switch (s) {
      case YAML_SINGLE_QUOTED_SCALAR_STYLE:
      case YAML_DOUBLE_QUOTED_SCALAR_STYLE:
        return ScalarStyle::Quoted;
      case YAML_LITERAL_SCALAR_STYLE:
      case YAML_FOLDED_SCALAR_STYLE:
        return ScalarStyle::Block;
      case YAML_ANY_SCALAR_STYLE:
      case YAML_PLAIN_SCALAR_STYLE:
        break;
    }
    return ScalarStyle::Plain;
  }

  Value scalar(ScalarStyle style) {
    const auto& s = event_.data.scalar;
    std::string why;
    Value v = yaml_scalar(text_of(s.tag), {reinterpret_cast<const char*>(s.value), s.length}, style, why);
    return why.empty() ? v : fail(why);
  }

  // The node that the current event starts; afterwards its last event is current.
  Node node(int depth) {
    if (depth > kMaxDepth) return {fail("the document is nested too deeply")};
    std::string anchor;
    Node result;
    switch (event_.type) {
      case YAML_ALIAS_EVENT:
        return alias();
      case YAML_SCALAR_EVENT:
        anchor = text_of(event_.data.scalar.anchor);
        result.value = scalar(style_of(event_.data.scalar.style));
        break;
      case YAML_SEQUENCE_START_EVENT:
        anchor = text_of(event_.data.sequence_start.anchor);
        if (!tag_allowed(text_of(event_.data.sequence_start.tag), kSequenceTag)) return {};
        if (!anchor.empty()) anchors_[anchor] = {};
        result = sequence(depth);
        break;
      case YAML_MAPPING_START_EVENT:
        anchor = text_of(event_.data.mapping_start.anchor);
        if (!tag_allowed(text_of(event_.data.mapping_start.tag), kMapTag)) return {};
        if (!anchor.empty()) anchors_[anchor] = {};
        result = mapping(depth);
        break;
      default:
        return {fail("a value is missing")};
    }
    if (!ok()) return {};
    if (result.weight > kMaxElements) return {fail("with its aliases expanded, the document is too large")};
    if (!anchor.empty()) anchors_[anchor] = {result, false};
    return result;
  }

  bool tag_allowed(const std::string& tag, std::string_view natural) {
    if (tag.empty() || tag == natural) return true;
    fail("the tag \"" + tag + "\" is not supported");
    return false;
  }

  Node alias() {
    std::string name = text_of(event_.data.alias.anchor);
    auto it = anchors_.find(name);
    if (it == anchors_.end()) return {fail("the alias \"*" + name + "\" has no preceding anchor")};
    if (it->second.open) return {fail("the alias \"*" + name + "\" is inside its own anchor")};
    return it->second.node;
  }

  Node sequence(int depth) {
    std::vector<Value> items;
    size_t weight = 1;
    while (next() && event_.type != YAML_SEQUENCE_END_EVENT) {
      Node n = node(depth + 1);
      if (!ok()) return {};
      weight += n.weight;
      items.push_back(std::move(n.value));
    }
    if (!ok()) return {};
    return {Value::tuple(std::move(items)), weight};
  }

  // A key as text; keys that are numbers or truth values are written out. `merge`: it is <<, quoted or not.
  bool key(Symbol& out, bool& merge) {
    if (event_.type != YAML_SCALAR_EVENT) return fail("only strings can be keys of a mapping"), false;
    bool tagged = event_.data.scalar.tag;
    Value v = scalar(style_of(event_.data.scalar.style));
    if (!ok()) return false;
    merge = !tagged && v.is_string() && v.as_string() == "<<";
    if (v.is_null()) return fail("null cannot be a key of a mapping"), false;
    out = v.is_string() ? Symbol(v.as_string())
          : v.is_bool() ? Symbol(v.as_bool() ? "true" : "false")
                        : Symbol(v.as_number().text());
    return true;
  }

  // Of equal keys the last one counts, merged ones included.
  Node mapping(int depth) {
    std::vector<std::pair<Symbol, Value>> attrs;
    std::unordered_map<Symbol, size_t> places;
    auto set = [&](Symbol name, const Value& v) {
      auto [it, fresh] = places.try_emplace(name, attrs.size());
      if (fresh)
        attrs.emplace_back(name, v);
      else
        attrs[it->second].second = v;
    };
    size_t weight = 1;
    while (next() && event_.type != YAML_MAPPING_END_EVENT) {
      Symbol name;
      bool merge = false;
      if (!key(name, merge) || !next()) return {};
      Node n = node(depth + 1);
      if (!ok()) return {};
      weight += n.weight;
      if (!merge) {
        set(name, n.value);
        continue;
      }
      if (n.value.kind() != Kind::Obj) return {fail("only a mapping can be merged into a mapping (<<)")};
      std::span<const Symbol> names = n.value.type().attr_names();
      // Each is copied with its name, and no other copy is shared with.
      if ((merged_ += names.size()) > kMaxElements / 4)
        return {fail("with its merge keys (<<) expanded, the document is too large")};
      for (size_t i = 0; i < names.size(); i++) set(names[i], n.value.elements()[i]);
    }
    if (!ok()) return {};
    return {Value::object(std::move(attrs)), weight};
  }

  yaml_parser_t parser_;
  yaml_event_t event_;
  yaml_mark_t mark_ = {};
  bool have_event_ = false;
  std::string& error_;
  std::unordered_map<std::string, Anchor> anchors_;
  size_t merged_ = 0;  // attributes, in the whole document
};

Value fn_yamldecode(std::span<const Value> a, const CallContext&, CallError& error) {
  Result<Value> v = decode_yaml(a[0].as_string());
  if (v) return std::move(*v);
  error = {v.error().message, 0};
  return {};
}

}  // namespace

Result<Value> decode_yaml(std::string_view text) {
  std::string problem;
  Value v = Decoder(text, problem).document();
  if (!problem.empty()) return Error{problem};
  return v;
}

void register_yaml(FunctionTable& table) {
  table.add(
      {.name = "yamlencode",
       .params = {{.name = "value", .type = Type::dynamic(), .allow_null = true, .allow_dynamic = true}},
       .returns = Type::string(),
       .impl = fn_yamlencode,
       .refine_not_null = false,
       .description = "A value as a YAML string."});
  table.add({.name = "yamldecode",
             .params = {{"src", Type::string()}},
             .returns = Type::dynamic(),
             .impl = fn_yamldecode,
             .refine_not_null = false,
             .description = "The value described by a YAML string."});
}

}  // namespace xplan::eval
