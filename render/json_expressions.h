// Expressions as JSON: a constant or the list of what they refer to.
//
// Who calls it: json_config.cc, json_providers.cc.
// Contract: constant_value is what the expression is without any names or functions (in a JSON file: its raw
// value, templates included); references are strings, for each reference the full one first and then its
// beginnings down to the shortest that names something. An expression with neither is {}. Cost: linear.
// Thread-safety: pure functions.
#pragma once
#include <string>
#include <vector>

#include "core/base/json_writer.h"
#include "core/schema/schema.h"
#include "core/syntax/body.h"

namespace xplan::render {

void write_expression(const syntax::Expr& e, JsonWriter& w);
// False when it would be {}.
bool has_expression(const syntax::Expr* e);
// The arguments and blocks of a body that its schema names, as one object. Dynamic blocks are left out.
void write_expressions(const syntax::Rest& body, const schema::Block& schema, JsonWriter& w);
bool has_expressions(const syntax::Rest& body, const schema::Block& schema);
// What a reference names, without further steps: aws_x.y[0], module.a.out, var.x. Empty when it names
// nothing.
std::string subject_text(const syntax::Traversal& t);
void append_references(const syntax::Traversal& t, std::vector<std::string>& out);

}  // namespace xplan::render
