// Writes configuration for an existing object along its schema (attributes, nested attributes, blocks, JSON
// strings as jsonencode), with aligned equals signs and correct indentation.
#include "core/schema/config_text.h"

#include <algorithm>

#include "core/base/text.h"
#include "core/syntax/body.h"
#include "core/value/json.h"

namespace xplan::schema {
namespace {

// Lines in the making. A line is `lead` or `lead = assign`, perhaps with a comment; brackets are counted, so
// that the layout can be settled at the end: a line that closes more than it opens stands further out, the
// lines behind one that opens stand further in, and neighbours that are whole assignments have their "="
// below each other.
class Lines {
 public:
  void text(std::string_view s) { cell() += s; }
  void assign() { lines_.back().assigned = true; }
  void open(std::string_view s) { text(s), lines_.back().net += static_cast<int>(s.size()); }
  void close(std::string_view s) { text(s), lines_.back().net -= static_cast<int>(s.size()); }
  void comment(std::string_view s) { lines_.back().comment = s; }
  void next() { lines_.emplace_back(); }

  std::string layout() {
    while (!lines_.empty() && lines_.back().lead.empty()) lines_.pop_back();
    align([](const Line& l) { return l.assigned && l.net == 0; },
          [](const Line& l) { return columns(l.lead); },
          [](Line& l, size_t pad) { l.lead.append(pad, ' '); });
    align([](const Line& l) { return !l.comment.empty(); },
          [](const Line& l) { return columns(l.lead) + (l.assigned ? 3 + columns(l.assign) : 0); },
          [](Line& l, size_t pad) { (l.assigned ? l.assign : l.lead).append(pad, ' '); });
    std::string out;
    std::vector<int> levels;  // brackets that each level of indentation stands for
    for (const Line& l : lines_) {
      for (int closed = -l.net; closed > 0 && !levels.empty();) {
        int taken = std::min(closed, levels.back());
        closed -= taken;
        if (!(levels.back() -= taken)) levels.pop_back();
      }
      if (!out.empty()) out += '\n';
      out.append(2 * levels.size(), ' ');
      out += l.lead;
      if (l.assigned) out += " = " + l.assign;
      if (!l.comment.empty()) out += " " + l.comment;
      if (l.net > 0) levels.push_back(l.net);
    }
    return out;
  }

 private:
  struct Line {
    std::string lead, assign, comment;
    bool assigned = false;
    int net = 0;
  };
  std::string& cell() { return lines_.back().assigned ? lines_.back().assign : lines_.back().lead; }
  static size_t columns(std::string_view s) {
    return static_cast<size_t>(std::count_if(s.begin(), s.end(), [](char c) { return (c & 0xC0) != 0x80; }));
  }
  template <typename Member, typename Width, typename Pad>
  void align(Member member, Width width, Pad pad) {
    for (size_t i = 0; i < lines_.size();) {
      size_t end = i, widest = 0;
      for (; end < lines_.size() && member(lines_[end]); ++end) widest = std::max(widest, width(lines_[end]));
      for (; i < end; ++i) pad(lines_[i], widest - width(lines_[i]));
      ++i;
    }
  }
  std::vector<Line> lines_{1};
};

std::string name_text(std::string_view name) {
  return syntax::valid_identifier(name) ? std::string(name) : syntax::quote(name);
}

bool sensitive(const Value& v) {
  return v.has_mark(kSensitive);
}

class Writer {
 public:
  explicit Writer(TextOf what) : guesses_(what == TextOf::Object) {}

  void resource(std::string_view type, std::string_view name, std::string_view provider, const Block& block,
                const Value& object) {
    out_.text("resource " + syntax::quote(type) + " " + syntax::quote(name) + " ");
    out_.open("{");
    out_.next();
    if (!provider.empty()) {
      out_.text("provider"), out_.assign(), out_.text(provider);
      out_.next();
    }
    block_content(block, object, true);
    out_.close("}");
  }
  std::string text() { return out_.layout(); }

 private:
  // Only a provider can set it, or nobody should without a reason.
  bool left_out(const Attribute& a, const Value& v, bool top) const {
    if ((a.computed && !a.optional) || !(a.required || a.optional)) return true;
    const bool unlikely = a.deprecated || (top && a.name.sv() == "id" && a.optional && a.computed);
    return unlikely && (guesses_ || v.is_null());
  }
  void block_content(const Block& block, const Value& object, bool top) {
    for (const Attribute& a : block.attributes)
      if (const Value& v = object.attr(a.name); !left_out(a, v, top)) attribute(a, v);
    for (const NestedBlock& b : block.blocks)
      if (!guesses_ || !b.block->deprecated) nested_block(b, object.attr(b.type_name));
  }

  void attribute(const Attribute& a, const Value& v) {
    out_.text(name_text(a.name.sv()));
    out_.assign();
    if (a.nested && !v.is_null() && !a.write_only) {
      nested_value(a, v);
    } else if (a.sensitive || sensitive(v)) {
      out_.text("null"), out_.comment("# sensitive");
    } else if (v.is_null() || a.write_only) {
      out_.text("null");
    } else if (guesses_ && v.is_string() && v.as_string().empty() && a.optional) {
      out_.text("null");  // how some providers say that it is not set
    } else if (v.is_string()) {
      string(v.as_string());
    } else {
      value(v);
    }
    out_.next();
  }

  // A text that is a JSON object or array stands there as what it means.
  void string(std::string_view s) {
    if (trimmed(s).starts_with('{') || trimmed(s).starts_with('[')) {
      if (Result<Value> parsed = parse_json(s); parsed) {
        out_.text("jsonencode");
        out_.open("(");
        value(*parsed);
        out_.close(")");
        return;
      }
    }
    out_.text(syntax::quote(s));
  }

  void value(const Value& v) {
    if (v.is_null() || v.is_unknown() || sensitive(v)) return out_.text("null");
    if (v.is_string()) return out_.text(syntax::quote(v.as_string()));
    if (v.is_bool()) return out_.text(v.is_true() ? "true" : "false");
    if (v.is_number()) return out_.text(json_number(v.as_number()));
    Type t = v.type();
    if (!t.is_map() && !t.is_object()) {
      out_.open("[");
      bool first = true;
      for (const Value& e : v.elements()) {
        if (!first) out_.text(", ");
        first = false;
        value(e);
      }
      return out_.close("]");
    }
    out_.open("{");
    for (size_t i = 0; i < v.length(); ++i) {
      if (!i) out_.next();
      out_.text(name_text(t.is_map() ? v.map_key(i) : t.attr_names()[i].sv()));
      out_.assign();
      value(v.elements()[i]);
      if (!v.elements()[i].is_null() && sensitive(v.elements()[i])) out_.comment("# sensitive");
      out_.next();
    }
    out_.close("}");
  }

  // An attribute with attributes inside: written one by one, since each has rules of its own.
  void nested_value(const Attribute& a, const Value& v) {
    bool many = a.nested->nesting == Nesting::List || a.nested->nesting == Nesting::Set;
    // A set has the marks of what is in its elements, and that is left out there.
    if (a.sensitive || (sensitive(v) && a.nested->nesting != Nesting::Set)) {
      out_.text(many ? "[]" : "{}"), out_.comment("# sensitive");
      return;
    }
    if (!many && a.nested->nesting != Nesting::Map) return object(*a.nested, v);
    out_.open(many ? "[" : "{");
    out_.next();
    for (size_t i = 0; i < v.length(); ++i) {
      const Value& e = v.elements()[i];
      if (!many) out_.text(name_text(v.map_key(i))), out_.assign();
      if (sensitive(e))
        out_.text("{}");
      else if (e.is_null())
        out_.text("null");
      else
        object(*a.nested, e);
      if (many) out_.text(",");
      if (sensitive(e)) out_.comment("# sensitive");
      out_.next();
    }
    out_.close(many ? "]" : "}");
  }
  void object(const Object& o, const Value& v) {
    out_.open("{");
    out_.next();
    for (const Attribute& a : o.attributes)
      if (const Value& inner = v.attr(a.name); !left_out(a, inner, false)) attribute(a, inner);
    out_.close("}");
  }

  void nested_block(const NestedBlock& b, const Value& v) {
    if (v.is_null()) return;
    if (is_one(b.nesting) || sensitive(v)) return one_block(b, {}, v);
    for (size_t i = 0; i < v.length(); ++i)
      one_block(b, b.nesting == Nesting::Map ? " " + syntax::quote(v.map_key(i)) : std::string(),
                v.elements()[i]);
  }
  void one_block(const NestedBlock& b, const std::string& label, const Value& v) {
    out_.text(std::string(b.type_name.sv()) + label + " ");
    if (sensitive(v) || v.is_null()) {
      out_.text("{}");
      if (sensitive(v)) out_.comment("# sensitive");
    } else {
      out_.open("{");
      out_.next();
      block_content(*b.block, v, false);
      out_.close("}");
    }
    out_.next();
  }

  const bool guesses_;  // what of an object's values was configured
  Lines out_;
};

}  // namespace

std::string resource_text(std::string_view type, std::string_view name, std::string_view provider,
                          const Block& block, const Value& values, TextOf what) {
  Writer w(what);
  w.resource(type, name, provider, block, values);
  return w.text();
}

}  // namespace xplan::schema
