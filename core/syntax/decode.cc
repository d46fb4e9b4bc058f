// Decodes a body against a body schema, in native and JSON syntax: attributes, blocks with labels, what is
// unexpected or missing, and partial decoding.
#include <fmt/format.h>

#include <algorithm>

#include "core/syntax/json_syntax.h"

namespace xplan::syntax {
namespace {

// What a name means to the schema at hand.
class Names {
 public:
  explicit Names(const BodySchema& schema) : schema_(schema) {
    size_t n = schema.attributes.size() + schema.blocks.size();
    if (n <= kLinear) return;
    index_.reserve(n);
    for (const AttributeSchema& a : schema.attributes) index_.emplace(a.name, Found{&a, nullptr});
    for (const BlockSchema& b : schema.blocks) index_[b.type].block = &b;
  }
  struct Found {
    const AttributeSchema* attribute = nullptr;
    const BlockSchema* block = nullptr;
  };
  Found find(std::string_view name) const {
    if (!index_.empty()) {
      auto it = index_.find(name);
      return it == index_.end() ? Found{} : it->second;
    }
    Found f;
    for (const AttributeSchema& a : schema_.attributes)
      if (a.name == name) f.attribute = &a;
    for (const BlockSchema& b : schema_.blocks)
      if (b.type == name) f.block = &b;
    return f;
  }
  // The nearest name; empty: none is near.
  std::string_view nearest(std::string_view name) const {
    std::vector<std::string_view> all;
    for (const AttributeSchema& a : schema_.attributes) all.push_back(a.name);
    for (const BlockSchema& b : schema_.blocks) all.push_back(b.type);
    return did_you_mean(name, all);
  }

 private:
  static constexpr size_t kLinear = 8;
  const BodySchema& schema_;
  std::unordered_map<std::string_view, Found> index_;
};

class Decoder {
 public:
  Decoder(const Body& body, const Rest* hidden, const BodySchema& schema, bool partial, Diagnostics& diags)
      : body_(body), schema_(schema), names_(schema), partial_(partial), diags_(diags) {
    if (!hidden) return;
    taken_ = {&hidden->taken_attributes, &hidden->taken_blocks};
    for (Symbol s : hidden->taken_attributes) hidden_attributes_.push_back(s.id());
    for (Symbol s : hidden->taken_blocks) hidden_blocks_.push_back(s.id());
    std::sort(hidden_attributes_.begin(), hidden_attributes_.end());
    std::sort(hidden_blocks_.begin(), hidden_blocks_.end());
  }

  Content run() {
    content_.missing_range = body_.missing_range();
    if (body_.is_json())
      json();
    else
      native();
    for (const AttributeSchema& a : schema_.attributes)
      if (a.required && !content_.find(a.name) && !content_.is_meant(a.name))
        diags_.error("Missing required argument",
                     fmt::format("The argument \"{}\" is required, but it is not set here.", a.name),
                     content_.missing_range);
    return std::move(content_);
  }

 private:
  static bool in(const std::vector<uint32_t>& sorted, Symbol s) {
    return std::binary_search(sorted.begin(), sorted.end(), s.id());
  }

  void native() {
    for (const Attribute& a : body_.attributes) {
      if (in(hidden_attributes_, a.name)) continue;
      Names::Found f = names_.find(a.name.sv());
      if (f.attribute)
        content_.attributes.push_back(a);
      else if (!partial_)
        unknown_attribute(a, f.block || in(hidden_blocks_, a.name));
    }
    for (const Block* b : body_.blocks) {
      if (in(hidden_blocks_, b->type)) continue;
      Names::Found f = names_.find(b->type.sv());
      if (!f.block) {
        if (!partial_) unknown_block(*b, f.attribute);
      } else if (labels_fit(*b, *f.block)) {
        content_.blocks.push_back(*b);
      }
    }
  }

  // A question for the end of a message; what the answer is likely to be is not missing.
  std::string suggest(std::string_view name) {
    std::string_view near = names_.nearest(name);
    if (near.empty()) near = did_you_mean(name, taken_names());
    if (near.empty()) return "";
    content_.meant.emplace_back(near);
    return fmt::format(" Did you mean \"{}\"?", near);
  }

  // What an earlier decoding of the same body took can be meant, too.
  std::vector<std::string_view> taken_names() const {
    std::vector<std::string_view> names;
    for (const std::vector<Symbol>* taken : taken_) {
      for (const Symbol s : *taken)
        if (s.sv().size() > 1) names.push_back(s.sv());
    }
    return names;
  }

  void unknown_attribute(const Attribute& a, bool block) {
    std::string detail =
        block ? fmt::format(
                    "\"{0}\" is a block, not an argument: write \"{0} {{ … }}\", without an equals sign.",
                    a.name.sv())
              : fmt::format("An argument named \"{}\" is not expected here.{}", a.name.sv(),
                            suggest(a.name.sv()));
    diags_.error("Unsupported argument", std::move(detail), a.name_range);
  }

  // Whether it is known why there is no such block here; reports that.
  bool refused(std::string_view type, Range where) {
    for (const RefusedBlock& r : schema_.refused)
      if (r.type == type) return diags_.error("Unsupported block type", std::string(r.why), where), true;
    return false;
  }

  void unknown_block(const Block& b, const AttributeSchema* attribute) {
    if (refused(b.type.sv(), b.type_range)) return;
    // "dynamic" is what a language feature makes of blocks: the blocks it stands for are what is wrong.
    const bool dynamic = !attribute && b.type.sv() == "dynamic" && b.labels.size() == 1;
    std::string detail =
        dynamic
            ? fmt::format("This dynamic block creates blocks of type \"{}\", which are not expected here.{}",
                          b.labels[0].sv(), suggest(b.labels[0].sv()))
        : attribute
            ? fmt::format("\"{0}\" is an argument, not a block: write \"{0} = …\", with an equals sign.",
                          b.type.sv())
            : fmt::format("Blocks of type \"{}\" are not expected here.{}", b.type.sv(),
                          suggest(b.type.sv()));
    diags_.error("Unsupported block type", std::move(detail), b.type_range);
  }

  bool labels_fit(const Block& b, const BlockSchema& s) {
    if (b.labels.size() == s.labels.size()) return true;
    std::string names;
    for (std::string_view l : s.labels) names += names.empty() ? std::string(l) : fmt::format(", {}", l);
    if (b.labels.size() > s.labels.size()) {
      diags_.error(
          "Too many block labels",
          s.labels.empty()
              ? fmt::format("A block of type \"{}\" cannot have labels. Remove this one.", b.type.sv())
              : fmt::format("A block of type \"{}\" must have exactly {} label{} ({}). Remove this one.",
                            b.type.sv(), s.labels.size(), s.labels.size() == 1 ? "" : "s", names),
          b.label_ranges[s.labels.size()], b.def_range);
    } else {
      diags_.error(
          "Missing block label",
          fmt::format("A block of type \"{}\" must have {} label{} ({}), between the type and the opening "
                      "brace. The {} is missing.",
                      b.type.sv(), s.labels.size(), s.labels.size() == 1 ? "" : "s", names,
                      s.labels[b.labels.size()]),
          b.def_range);
    }
    return false;
  }

  Range at(const JsonNode& n) const { return json_range(*body_.file, n); }

  void json() {
    std::unordered_map<std::string_view, Range> seen;
    for (const JsonNode* object : body_.objects) {
      for (const JsonMember& m : object->members) {
        if (m.key == "//") continue;
        Range key_range = json_range(*body_.file, m.key_begin, m.key_end);
        Symbol name(m.key);
        if (in(hidden_attributes_, name) || in(hidden_blocks_, name)) continue;
        Names::Found f = names_.find(m.key);
        if (f.attribute) {
          if (!seen.emplace(m.key, key_range).second) {
            diags_.error(
                "Duplicate argument",
                fmt::format("The argument \"{}\" is set more than once in this block. Remove all but one.",
                            m.key),
                key_range);
            continue;
          }
          Attribute a;
          a.name = name, a.name_range = key_range;
          a.range = cover(key_range, at(*m.value));
          a.json = m.value;
          a.expr = json_expression(*body_.file, *m.value, f.attribute->literal, diags_);
          content_.attributes.push_back(a);
        } else if (f.block) {
          Block b;
          b.type = name, b.type_range = b.def_range = key_range;
          blocks(*m.value, *f.block, b);
        } else if (!partial_ && !refused(m.key, key_range)) {
          diags_.error("Unsupported argument or block type",
                       fmt::format("Neither an argument nor a block type \"{}\" is expected here.{}", m.key,
                                   suggest(m.key)),
                       key_range);
        }
      }
    }
  }

  // For keys that give the label at `level`; an array of such objects is accepted, too, but nobody needs it.
  static std::string expected_keys(const BlockSchema& s, size_t level) {
    std::string form = "{ … }";
    for (size_t i = s.labels.size(); i > level; --i) {
      std::string name(s.labels[i - 1]);
      for (char& c : name)
        if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
      form = fmt::format("{{\"{}\": {}}}", name, form);
    }
    return fmt::format("An object is expected here, with a key for the {} of each \"{}\" block: {}.",
                       s.labels[level], s.type, form);
  }

  // The members of the object, or of the objects in the array, that give the next label; below the last label
  // the bodies. Recursion is one level per label.
  void blocks(const JsonNode& value, const BlockSchema& s, Block& b) {
    size_t level = b.labels.size();
    if (level == s.labels.size()) {
      if (value.is_null()) return;
      if (value.is_array()) {
        for (const JsonNode* item : value.items) body(*item, s, b);
      } else {
        body(value, s, b);
      }
      return;
    }
    bool any = false, good = true;
    auto labelled = [&](const JsonNode& object) {
      if (!object.is_object()) {
        good = false;
        diags_.error("Incorrect JSON value type", expected_keys(s, level), at(object), b.def_range);
        return;
      }
      for (const JsonMember& m : object.members) {
        any = true;
        Range outer = b.def_range;
        b.labels.push_back(Symbol(m.key));
        b.label_ranges.push_back(json_range(*body_.file, m.key_begin, m.key_end));
        b.def_range = b.label_ranges.back();
        blocks(*m.value, s, b);
        b.labels.pop_back(), b.label_ranges.pop_back();
        b.def_range = outer;
      }
    };
    if (value.is_array()) {
      for (const JsonNode* item : value.items) labelled(*item);
    } else if (!value.is_null()) {
      labelled(value);
    }
    if (any || !good) return;
    diags_.error("Missing block label", expected_keys(s, level) + " This one has no keys.", at(value),
                 b.def_range);
  }

  void body(const JsonNode& value, const BlockSchema& s, const Block& header) {
    std::vector<const JsonNode*> objects;
    auto add = [&](const JsonNode& n) {
      if (n.is_object()) {
        objects.push_back(&n);
        return true;
      }
      if (n.is_null()) return true;
      std::string_view hint;
      if (header.labels.empty() == false && header.labels.back().sv() == "//")
        hint = " Comments (\"//\") are allowed inside a block's content, not among its labels.";
      diags_.error("Incorrect JSON value type",
                   fmt::format("The content of the \"{}\" block must be an object, or an array of objects "
                               "for several blocks.{}",
                               s.type, hint),
                   at(n), header.def_range);
      return false;
    };
    bool good = true;
    if (value.is_array()) {
      for (const JsonNode* item : value.items) good &= add(*item);
    } else {
      good = add(value);
    }
    if (objects.empty() && (!good || !value.is_array())) return;
    Block b = header;
    b.body.file = body_.file;
    b.body.range = at(value);
    b.body.objects = std::move(objects);
    if (b.body.objects.empty()) return;
    content_.blocks.push_back(std::move(b));
  }

  const Body& body_;
  const BodySchema& schema_;
  Names names_;
  bool partial_;
  Diagnostics& diags_;
  std::vector<uint32_t> hidden_attributes_, hidden_blocks_;  // ids of what is in taken_
  std::vector<const std::vector<Symbol>*> taken_;
  Content content_;
};

std::vector<Attribute> all_attributes(const Body& body, const Rest* hidden, bool literal,
                                      Diagnostics& diags) {
  auto taken = [](const std::vector<Symbol>& names, Symbol s) {
    return std::find(names.begin(), names.end(), s) != names.end();
  };
  auto hides_attribute = [&](Symbol s) { return hidden && taken(hidden->taken_attributes, s); };
  auto hides_block = [&](Symbol s) { return hidden && taken(hidden->taken_blocks, s); };
  std::vector<Attribute> out;
  if (!body.is_json()) {
    for (const Attribute& a : body.attributes)
      if (!hides_attribute(a.name)) out.push_back(a);
    for (const Block* b : body.blocks)
      if (!hides_block(b->type))
        diags.error("Unexpected block",
                    fmt::format("Only arguments are expected here, no blocks. If \"{0}\" is meant as an "
                                "argument whose value is an "
                                "object, write \"{0} = {{ … }}\", with an equals sign.",
                                b->type.sv()),
                    b->def_range);
    return out;
  }
  std::unordered_map<std::string_view, bool> seen;
  for (const JsonNode* object : body.objects) {
    for (const JsonMember& m : object->members) {
      Symbol name(m.key);
      if (m.key == "//" || hides_attribute(name) || hides_block(name)) continue;
      Attribute a;
      a.name = name;
      a.name_range = json_range(*body.file, m.key_begin, m.key_end);
      a.range = cover(a.name_range, json_range(*body.file, *m.value));
      a.json = m.value;
      if (!seen.emplace(m.key, true).second) {
        diags.error(
            "Duplicate argument",
            fmt::format("The argument \"{}\" is set more than once in this block. Remove all but one.",
                        m.key),
            a.name_range);
        continue;
      }
      a.expr = json_expression(*body.file, *m.value, literal, diags);
      out.push_back(a);
    }
  }
  return out;
}

void take(const BodySchema& schema, const Body& body, const Rest* before, Rest* rest) {
  if (!rest) return;
  Rest next;
  if (before) next = *before;
  next.body = &body;
  for (const AttributeSchema& a : schema.attributes) next.taken_attributes.push_back(Symbol(a.name));
  for (const BlockSchema& b : schema.blocks) next.taken_blocks.push_back(Symbol(b.type));
  *rest = std::move(next);
}

}  // namespace

bool Content::is_meant(std::string_view name) const {
  return std::any_of(meant.begin(), meant.end(), [&](Symbol s) { return s.sv() == name; });
}

const Attribute* Content::find(std::string_view name) const {
  for (const Attribute& a : attributes)
    if (a.name.sv() == name) return &a;
  return nullptr;
}

Content decode(const Body& body, const BodySchema& schema, Diagnostics& diags) {
  return Decoder(body, nullptr, schema, false, diags).run();
}

Content decode(const Rest& rest, const BodySchema& schema, Diagnostics& diags) {
  return Decoder(*rest.body, &rest, schema, false, diags).run();
}

Content decode_partial(const Body& body, const BodySchema& schema, Rest* rest, Diagnostics& diags) {
  take(schema, body, nullptr, rest);
  return Decoder(body, nullptr, schema, true, diags).run();
}

Content decode_partial(const Rest& rest, const BodySchema& schema, Rest* further, Diagnostics& diags) {
  Content c = Decoder(*rest.body, &rest, schema, true, diags).run();
  take(schema, *rest.body, &rest, further);
  return c;
}

std::vector<Attribute> just_attributes(const Body& body, Diagnostics& diags, bool literal) {
  return all_attributes(body, nullptr, literal, diags);
}

std::vector<Attribute> just_attributes(const Rest& rest, Diagnostics& diags, bool literal) {
  return all_attributes(*rest.body, &rest, literal, diags);
}

}  // namespace xplan::syntax
