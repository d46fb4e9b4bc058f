// libFuzzer entry point: every parser of the syntax folder on the same bytes. Nothing may crash or hang, and
// what comes out may be walked, collected and decoded. Build: clang++ -fsanitize=fuzzer,address,undefined.
#include <cstddef>
#include <cstdint>
#include <string>

#include "core/syntax/body.h"

using namespace xplan;
using namespace xplan::syntax;

namespace {

void use(const Expr& e) {
  size_t nodes = 0;
  walk(e, [&](const Expr& n) {
    if (n.height > kMaxHeight + kMaxDepth || n.range.begin > n.range.end) __builtin_trap();
    ++nodes;
  });
  std::vector<const Traversal*> found;
  collect_traversals(e, found);
  if (found.size() > nodes) __builtin_trap();
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

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::string text(reinterpret_cast<const char*>(data), size);
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
  return 0;
}
