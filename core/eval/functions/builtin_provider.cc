// Functions of the builtin provider: values as text in the configuration syntax, and back.
#include <algorithm>
#include <memory>

#include "core/base/quote.h"
#include "core/base/utf8.h"
#include "core/eval/eval.h"
#include "core/eval/function.h"
#include "core/syntax/body.h"

namespace xplan::eval {

namespace {

// Lays values out as the formatter of the configuration syntax would: one attribute a line, the equals signs
// of neighbouring one-line attributes below one another, two spaces for every line that leaves brackets open.
class ExprWriter {
 public:
  void attribute(std::string_view key, const Value& v) {
    std::string name;
    if (syntax::valid_identifier(key))
      name = key;
    else
      append_quoted(name, key, Quoting::Config);
    size_t first = lines_.size();
    line_.text = name;
    line_.key_bytes = name.size();
    value(v);
    if (lines_.size() > first) lines_[first].text.insert(name.size(), " = "), lines_[first].key_bytes = 0;
    end_line();
  }

  void value(const Value& v) {
    std::string& out = line_.text;
    if (v.is_null()) {
      out += "null";
      return;
    }
    switch (v.kind()) {
      case Kind::Bool:
        out += v.as_bool() ? "true" : "false";
        return;
      case Kind::Int:
      case Kind::Num: {
        Number n = v.as_number();
        out += n.is_infinite() ? (n.sign() < 0 ? "-Inf" : "+Inf") : n.text();
        return;
      }
      case Kind::Str:
        append_quoted(out, v.as_string(), Quoting::Config);
        return;
      case Kind::Seq:
      case Kind::Set: {
        open('[');
        bool first = true;
        for (const Value& e : v.elements()) {
          if (!first) line_.text += ", ";
          first = false;
          value(e);
        }
        close(']');
        return;
      }
      case Kind::Map:
      case Kind::Obj: {
        open('{');
        for (size_t i = 0; i < v.length(); i++) {
          if (i == 0) end_line();
          attribute(v.kind() == Kind::Map ? v.map_key(i) : v.type().attr_names()[i].sv(), v.elements()[i]);
        }
        close('}');
        return;
      }
      case Kind::Null:
      case Kind::Unknown:
      case Kind::TypeVal:
        return;
    }
  }

  std::string finish() {
    if (!line_.text.empty()) end_line();
    std::vector<int> open;  // brackets that each indenting line left open
    std::string out;
    for (size_t i = 0; i < lines_.size(); i++) {
      if (lines_[i].key_bytes && (i == 0 || !lines_[i - 1].key_bytes)) align(i);
      const Line& l = lines_[i];
      for (int closed = -l.brackets; closed > 0 && !open.empty();) {
        int here = std::min(closed, open.back());
        closed -= here;
        if ((open.back() -= here) == 0) open.pop_back();
      }
      out.append(2 * open.size(), ' ');
      if (l.brackets > 0) open.push_back(l.brackets);
      out += l.text;
      out += '\n';
    }
    return out;
  }

 private:
  struct Line {
    std::string text;
    size_t key_bytes = 0;  // of an attribute on one line: its key, which the value follows directly
    int brackets = 0;      // opened minus closed
  };

  void open(char c) { line_.text += c, line_.brackets++; }
  void close(char c) { line_.text += c, line_.brackets--; }
  void end_line() {
    lines_.push_back(std::move(line_));
    line_ = {};
  }
  // Puts the equals signs of the attributes from line `first` on into one column.
  void align(size_t first) {
    auto width = [](const Line& l) {
      return graphemes(std::string_view(l.text).substr(0, l.key_bytes)).size();
    };
    size_t widest = 0, end = first;
    for (; end < lines_.size() && lines_[end].key_bytes; end++) widest = std::max(widest, width(lines_[end]));
    for (size_t i = first; i < end; i++) {
      lines_[i].text.insert(lines_[i].key_bytes, std::string(widest - width(lines_[i]), ' ') + " = ");
    }
  }

  std::vector<Line> lines_;
  Line line_;
};

Value encode_expr(std::span<const Value> a, CallError&) {
  if (!a[0].is_wholly_known()) return Value::unknown(Type::string());
  ExprWriter w;
  w.value(a[0]);
  std::string text = w.finish();
  text.pop_back();  // an expression is not a line
  return Value::string(text);
}

Value encode_tfvars(std::span<const Value> a, CallError& error) {
  const Value& v = a[0];
  if (!v.type().is_object() && !v.type().is_map()) {
    error = {"variable definitions must be an object, with one attribute for each variable", 0};
    return {};
  }
  if (!v.is_wholly_known()) return Value::unknown(Type::string());
  ExprWriter w;
  for (size_t i = 0; i < v.length(); i++) {
    std::string_view key = v.kind() == Kind::Map ? v.map_key(i) : v.type().attr_names()[i].sv();
    if (!syntax::valid_identifier(key)) {
      error = {"\"" + std::string(key) +
                   "\" is not a valid variable name: a name must begin with a letter or an underscore and "
                   "can contain only letters, digits, underscores and dashes",
               0};
      return {};
    }
    w.attribute(key, v.elements()[i]);
  }
  return Value::string(w.finish());
}

Value decode_tfvars(std::span<const Value> a, CallError& error) {
  SourceTable sources;
  Diagnostics diags;
  std::unique_ptr<syntax::File> file =
      syntax::parse_native(sources, "(variable definitions)", std::string(a[0].as_string()), diags);
  std::vector<std::pair<Symbol, Value>> attrs;
  if (!diags.has_errors()) {
    for (const syntax::Attribute& attr : syntax::just_attributes(file->body, diags)) {
      attrs.emplace_back(attr.name, evaluate_constant(*attr.expr, diags));
    }
  }
  for (const Diagnostic& d : diags.all()) {
    if (d.severity != Severity::Error) continue;
    ResolvedRange at;
    std::string where = sources.resolve(d.subject, at) ? ", line " + std::to_string(at.start.line) : "";
    error = {"these are not valid variable definitions" + where + ": " + d.summary + ". " + d.detail, 0};
    return {};
  }
  return Value::object(std::move(attrs));
}

}  // namespace

std::span<const BuiltinFunction> builtin_provider_functions() {
  static const BuiltinFunction all[] = {
      {"decode_tfvars", "src", Type::string(), Type::dynamic(), decode_tfvars,
       "The variable definitions in a string, as an object",
       "Reads a string in the syntax of `.tfvars` files and returns an object with one attribute for each "
       "definition in it. The values are those that are written there: declarations of variables are "
       "ignored."},
      {"encode_expr", "value", Type::dynamic(), Type::string(), encode_expr,
       "Any value as an expression in the configuration syntax",
       "Returns a string with an expression in the configuration syntax that evaluates to the given value. "
       "Meant for programs that generate configurations."},
      {"encode_tfvars", "value", Type::dynamic(), Type::string(), encode_tfvars,
       "An object as the content of a variable definitions file",
       "Returns a string in the syntax of `.tfvars` files, with one definition for each attribute of the "
       "given object. Meant for programs that generate variable definitions."},
  };
  return all;
}

void register_builtin_provider_functions(FunctionTable& table, std::string_view local_name) {
  for (const BuiltinFunction& f : builtin_provider_functions()) {
    Symbol full("provider::" + std::string(local_name) +
                "::" + std::string(f.name));  // lives as long as the process
    table.add({.name = full.sv(),
               .params = {{f.param, f.param_type}},
               .returns = f.returns,
               .closure = f.impl,
               .refine_not_null = false,
               .description = f.summary});
  }
}

}  // namespace xplan::eval
