// Every parser of the syntax folder on the same bytes: what comes out may be walked, collected and decoded.
#include "core/schema/decode.h"
#include "core/syntax/body.h"
#include "tests/fuzz/target.h"

namespace xplan::fuzz {
namespace {

using namespace xplan::syntax;

void use(const Expr& e) {
  size_t nodes = 0;
  walk(e, [&](const Expr& n) {
    must(n.height <= kMaxHeight + kMaxDepth && n.range.begin <= n.range.end,
         "bounded height, ranges that end behind their beginning");
    ++nodes;
  });
  std::vector<const Traversal*> found;
  collect_traversals(e, found);
  must(found.size() <= nodes, "no more traversals than nodes");
}

void use(const File& file, Diagnostics& diags) {
  BodySchema schema;
  schema.attributes = {{"a", true}, {"b", false, true}};
  schema.blocks = {{"c", {}}, {"d", {"type"}}, {"resource", {"type", "name"}}};
  Rest rest;
  Content content = decode_partial(file.body, schema, &rest, diags);
  for (const Attribute& a : content.attributes) {
    use(*a.expr);
    as_traversal(file, *a.expr, diags);
    if (a.json) literal_json_value(*a.json);
  }
  for (const Block& b : content.blocks)
    for (const Attribute& a : just_attributes(b.body, diags)) use(*a.expr);
  decode(rest, schema, diags);
  for (const Attribute& a : just_attributes(rest, diags)) use(*a.expr);
}

void run(std::string_view bytes) {
  const std::string text(bytes);
  SourceTable sources;
  Diagnostics diags;
  use(*parse_native(sources, "f.tf", text, diags), diags);
  use(*parse_json(sources, "f.tf.json", text, diags), diags);
  const Expr* e = nullptr;
  const Traversal* t = nullptr;
  auto expression = parse_expression(sources, "e", text, e, diags);
  use(*e);
  auto whole = parse_template(sources, "t", text, e, diags);
  use(*e);
  auto address = parse_traversal(sources, "a", text, t, diags);
  for (const Diagnostic& d : diags.all()) {
    ResolvedRange r;
    sources.resolve(d.subject, r);
  }
  quote(text);
}

std::vector<std::string> seeds() {
  std::vector<std::string> out = files("syntax", ".tf");
  for (std::string& json : files("syntax", ".tf.json")) out.push_back(std::move(json));
  for (const char* expression : {"a.b[0].c[*].d", "[for k, v in x : k => v... if v > 1]",
                                 "\"${a ? b : !c}%{ for x in y ~}${x}%{ endfor }\""})
    out.push_back(expression);
  return out;
}

}  // namespace

const Target syntax = {run, seeds};

}  // namespace xplan::fuzz
