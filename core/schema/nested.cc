// Opens a body by its schema: finds the nested block type for each block, decides whether an attribute is
// written as blocks, and takes dynamic blocks apart. Shared by decode.cc and inspect.cc.
#include "core/schema/nested.h"
#include "core/schema/decode.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

namespace xplan::schema {

const NestedBlock* find_nested(const Block& s, std::string_view type) {
  const NestedBlock* n = s.find_block(type);
  return n ? n : s.find_attribute_block(type);
}

size_t nested_number(const Block& s, const NestedBlock* n) {
  std::less<const NestedBlock*> before;
  bool own = !s.blocks.empty() && !before(n, s.blocks.data()) && before(n, s.blocks.data() + s.blocks.size());
  return static_cast<size_t>(own ? n - s.blocks.data()
                                 : n - s.attribute_blocks().data() + static_cast<long>(s.blocks.size()));
}

// The schema by which a body is read. An attribute that may be written as blocks is one unless the body says
// it with an equals sign; the JSON syntax cannot tell and means the
// attribute, unless a dynamic block makes it.
const syntax::BodySchema& shape_of(const syntax::Body& body, const Block& s, syntax::BodySchema& own) {
  const syntax::BodySchema& usual = s.dynamic_body_schema();
  if (s.attribute_blocks().empty()) return usual;
  static const Symbol dynamic("dynamic");
  std::vector<std::string_view> as_blocks;
  for (const JsonNode* object : body.objects)
    for (const JsonMember& m : object->members) {
      if (m.key != dynamic.sv() || !m.value->is_object()) continue;
      for (const JsonMember& made : m.value->members)
        if (const NestedBlock* n = s.find_attribute_block(made.key)) as_blocks.push_back(n->type_name.sv());
    }
  for (const syntax::Block* b : body.blocks) {
    bool made = b->type == dynamic && !b->labels.empty();
    const NestedBlock* n = s.find_attribute_block(made ? b->labels[0].sv() : b->type.sv());
    if (!n || std::find(as_blocks.begin(), as_blocks.end(), n->type_name.sv()) != as_blocks.end()) continue;
    bool assigned = std::any_of(body.attributes.begin(), body.attributes.end(),
                                [&](const syntax::Attribute& a) { return a.name == n->type_name; });
    if (!assigned) as_blocks.push_back(n->type_name.sv());
  }
  if (as_blocks.empty()) return usual;
  for (const syntax::AttributeSchema& a : usual.attributes)
    if (std::find(as_blocks.begin(), as_blocks.end(), a.name) == as_blocks.end()) own.attributes.push_back(a);
  own.blocks = usual.blocks;
  for (std::string_view name : as_blocks) own.blocks.push_back({name, {}});
  if (s.blocks.empty()) own.blocks.push_back({"dynamic", {"type"}});
  return own;
}

syntax::Content open_body(const syntax::Body& body, const Block& s, Diagnostics& diags) {
  syntax::BodySchema own;
  return syntax::decode(body, shape_of(body, s, own), diags);
}

bool parse_dynamic(const syntax::Block& block, const Block& s, DynamicParts& out, Diagnostics& diags) {
  out.nested = find_nested(s, block.labels[0].sv());
  if (!out.nested) {
    diags.error(
        "Unsupported block type",
        fmt::format("A dynamic block must create blocks of a type that is allowed here; \"{}\" is not.",
                    block.labels[0].sv()),
        block.label_ranges.empty() ? block.def_range : block.label_ranges[0]);
    return false;
  }
  size_t before = diags.error_count();
  static const syntax::BodySchema shape = {{{"for_each", true}, {"iterator", false}, {"labels", false}},
                                           {{"content", {}}}};
  syntax::Content c = syntax::decode(block.body, shape, diags);
  out.iterator = block.labels[0];
  if (const syntax::Attribute* a = c.find("for_each")) out.for_each = a->expr;
  if (const syntax::Attribute* a = c.find("labels")) {
    out.labels = a->expr;
    if (out.nested->nesting != Nesting::Map)
      diags.error("Unsupported argument",
                  fmt::format("Blocks of type \"{}\" cannot have labels.", block.labels[0].sv()),
                  a->name_range);
  }
  if (const syntax::Attribute* a = c.find("iterator")) {
    Symbol k = syntax::as_keyword(*a->expr);
    if (a->json && a->json->is_string()) k = Symbol(a->json->str());
    if (k.empty())
      diags.error("Invalid expression", "The argument \"iterator\" must be a name, without quotes.",
                  a->range);
    else
      out.iterator = k;
  }
  if (c.blocks.size() != 1) {
    diags.error(c.blocks.empty() ? "Missing content block" : "Duplicate content block",
                "A dynamic block must have exactly one content block, which describes the blocks to create.",
                c.blocks.empty() ? block.def_range : c.blocks[1].def_range);
    return false;
  }
  out.content = std::move(c.blocks);
  return diags.error_count() == before && out.for_each;
}

}  // namespace xplan::schema
