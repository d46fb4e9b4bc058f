// Configuration bodies read by a schema: taken apart, checked, searched for references, evaluated.
//
// Who calls it: config (structure, references), plan and apply (evaluation), provider diagnostics (places).
// Contract: whatever is wrong is reported with its source range, and the result is usable all the same.
// Cost: linear in the body. Thread-safety: pure; a body that was taken apart may be decoded by many threads.
#pragma once
#include <functional>
#include <vector>

#include "core/eval/eval.h"
#include "core/schema/schema.h"

namespace xplan::schema {

// Evaluates a body against a schema: an object of the implied type. dynamic blocks are expanded. Absent
// attributes are null; absent blocks are empty collections or null. Problems are reported with source ranges;
// the result is usable all the same. Values are converted to attribute types, marks kept.
Value decode(const syntax::Rest& body, const Block& schema, const eval::Scope& scope, Diagnostics& diags);
// A body is taken apart once and evaluated for every instance; unknown and missing arguments are reported
// here.
syntax::Content take_apart(const syntax::Rest& body, const Block& schema, Diagnostics& diags);
Value decode(const syntax::Content& body, const Block& schema, const eval::Scope& scope, Diagnostics& diags);
// Structure only, without evaluation: what nested blocks have wrong, bad counts, attributes that cannot be
// set.
void validate_body(const syntax::Content& body, const Block& schema, Diagnostics& diags);
// Every expression inside the body, for collecting references (dynamic blocks included, with their iterators
// hidden).
void collect_traversals(const syntax::Content& body, const Block& schema,
                        std::vector<const syntax::Traversal*>& out);
// Calls f for each of them; iterators of dynamic blocks are not told from other names.
void visit_expressions(const syntax::Content& body, const Block& schema,
                       const std::function<void(const syntax::Expr&)>& f);
// The source range of an attribute path inside a body, as near as can be found (provider diagnostics).
Range locate(const syntax::Body& body, const Path& path);
// The same, or where something could be added: a problem of the whole body stands there, too.
Range locate_or_missing(const syntax::Body& body, const Path& path);

}  // namespace xplan::schema
