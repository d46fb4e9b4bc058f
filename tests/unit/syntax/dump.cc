// Prints syntax trees as s-expressions and diagnostics as short lines, for expectations.
#include "dump.h"

namespace xplan::syntax {
namespace {

const char* const kOps[] = {"+",  "-",  "*",  "/", "%",  "neg", "!", "&&",
                            "||", "==", "!=", "<", "<=", ">",   ">="};

std::string value_text(const Value& v) {
  if (v.is_null()) return "null";
  if (v.is_unknown()) return "unknown";
  if (v.is_bool()) return v.as_bool() ? "true" : "false";
  if (v.is_number()) return v.as_number().text();
  return quote(v.as_string());
}

struct Dumper {
  uint32_t base;
  std::string out;

  void range(Range r) {
    if (base && r.valid()) out += "@" + std::to_string(r.begin - base) + "-" + std::to_string(r.end - base);
  }
  void steps(const Traversal& t) {
    for (const TraversalStep& s : t.steps) {
      out += s.is_attr ? "." + std::string(s.attr.sv()) : "[" + value_text(s.index) + "]";
      range(s.range);
    }
  }
  void child(const Expr* e) {
    out += ' ';
    if (e)
      expr(*e);
    else
      out += '-';
  }
  void open(const char* name, const Expr& e) {
    out += '(';
    out += name;
    range(e.range);
  }
  void expr(const Expr& e) {
    switch (e.kind) {
      case ExprKind::Literal:
        out += value_text(e.value);
        if (e.heredoc) out += "heredoc";
        range(e.range);
        return;
      case ExprKind::Traversal:
        out += e.traversal->root.sv();
        range(e.traversal->root_range);
        steps(*e.traversal);
        return;
      case ExprKind::SplatItem:
        out += "it";
        range(e.range);
        return;
      case ExprKind::Template:
        open(e.heredoc ? "heredoc" : "template", e);
        break;
      case ExprKind::TemplateWrap:
        open("wrap", e);
        break;
      case ExprKind::TemplateIf:
        open("t-if", e);
        break;
      case ExprKind::TemplateFor:
        open("t-for", e);
        break;
      case ExprKind::Tuple:
        open("tuple", e);
        break;
      case ExprKind::Object:
        open("object", e);
        break;
      case ExprKind::Call:
        open(e.expand_final ? "call..." : "call", e);
        break;
      case ExprKind::Unary:
      case ExprKind::Binary:
        open(kOps[static_cast<int>(e.op)], e);
        break;
      case ExprKind::Conditional:
        open("?", e);
        break;
      case ExprKind::Index:
        open("index", e);
        break;
      case ExprKind::RelTraversal:
        open("steps", e);
        break;
      case ExprKind::Splat:
        open(e.legacy_splat ? "splat.*" : "splat", e);
        break;
      case ExprKind::For:
        open(e.is_object_for ? e.grouping ? "for{...}" : "for{}" : "for[]", e);
        break;
      case ExprKind::Parens:
        open("parens", e);
        break;
    }
    if (!e.name.empty()) out += ' ', out += e.name.sv(), range(e.name_range);
    if (!e.key_name.empty()) out += " key=", out += e.key_name.sv();
    if (e.a || e.b || e.c || e.d) {
      child(e.a);
      if (e.b || e.c || e.d) child(e.b);
      if (e.c || e.d) child(e.c);
      if (e.d) child(e.d);
    }
    for (const Expr* i : e.items) child(i);
    if (e.kind == ExprKind::RelTraversal) out += ' ', steps(*e.traversal);
    out += ')';
  }

  void attribute(const Attribute& a, std::string_view indent) {
    out += indent;
    out += a.name.sv();
    range(a.name_range), range(a.range);
    out += " = ";
    expr(*a.expr);
    out += '\n';
  }
  void block(const Block& b, const std::string& indent, Diagnostics& diags) {
    out += indent;
    out += b.type.sv();
    range(b.type_range);
    for (size_t i = 0; i < b.labels.size(); ++i)
      out += ' ' + quote(b.labels[i].sv()), range(b.label_ranges[i]);
    out += " def", range(b.def_range);
    out += " body", range(b.body.range);
    out += '\n';
    body(b.body, indent + "  ", diags);
  }
  void body(const Body& b, const std::string& indent, Diagnostics& diags) {
    if (!b.is_json()) {
      for (const Attribute& a : b.attributes) attribute(a, indent);
      for (const Block* inner : b.blocks) block(*inner, indent, diags);
      return;
    }
    BodySchema schema;
    schema.attributes = {{"count"},
                         {"for_each"},
                         {"description", false, true},
                         {"default", false, true},
                         {"type", false, true}};
    schema.blocks = {{"lifecycle", {}},
                     {"provisioner", {"type"}},
                     {"required_providers", {}},
                     {"dynamic", {"type"}},
                     {"content", {}}};
    Rest rest;
    Content c = decode_partial(b, schema, &rest, diags);
    for (const Attribute& a : c.attributes) attribute(a, indent);
    for (const Attribute& a : just_attributes(rest, diags)) attribute(a, indent);
    for (const Block& inner : c.blocks) block(inner, indent, diags);
  }
};

}  // namespace

std::string dump(const Expr& e, uint32_t base) {
  Dumper d{base, {}};
  d.expr(e);
  return d.out;
}

std::string dump_file(const File& file, Diagnostics& diags) {
  BodySchema schema;
  schema.blocks = {{"resource", {"type", "name"}},
                   {"data", {"type", "name"}},
                   {"variable", {"name"}},
                   {"output", {"name"}},
                   {"locals", {}},
                   {"terraform", {}},
                   {"provider", {"name"}},
                   {"module", {"name"}},
                   {"moved", {}}};
  Content c = decode(file.body, schema, diags);
  Dumper d{file.base, {}};
  for (const Attribute& a : c.attributes) d.attribute(a, "");
  for (const Block& b : c.blocks) d.block(b, "", diags);
  return d.out;
}

std::string dump_diagnostics(const SourceTable& sources, const Diagnostics& diags) {
  std::string out;
  for (const Diagnostic& d : diags.all()) {
    ResolvedRange r;
    auto place = [&](Range range) {
      if (!sources.resolve(range, r)) return std::string("-");
      return std::to_string(r.start.line) + ":" + std::to_string(r.start.column) + "-" +
             std::to_string(r.end.line) + ":" + std::to_string(r.end.column);
    };
    out += place(d.subject);
    if (d.context.valid()) out += " in " + place(d.context);
    out += std::string(d.severity == Severity::Error ? " error: " : " warning: ") + d.summary + "\n    " +
           d.detail + "\n";
  }
  return out;
}

}  // namespace xplan::syntax
