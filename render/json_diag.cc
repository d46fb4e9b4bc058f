// Writes diagnostics as JSON: range, snippet, expression values, function calls; and the document of
// validate -json.
#include "render/json_diag.h"

#include <algorithm>
#include <memory>

#include "core/config/dialect.h"
#include "render/human_diag.h"
#include "render/snippet.h"

namespace xplan::render {

namespace {

void position(JsonWriter& w, std::string_view key, const Position& p) {
  w.key(key);
  w.begin_object();
  w.member("line", p.line);
  w.member("column", p.column);
  w.member("byte", p.byte);
  w.end_object();
}

void parameter(JsonWriter& w, const eval::Param& p) {
  w.begin_object();
  w.member("name", p.name);
  w.key("type");
  w.raw(p.type.json());
  w.end_object();
}

// As the reference has it from 1.12 on.
void comparison(JsonWriter& w, const Compared& c) {
  w.key("test_assertion_expr");
  w.begin_object();
  w.member("lhs", std::string_view(c.left));
  w.member("rhs", std::string_view(c.right));
  w.member("warning", std::string_view(c.warning));
  w.member("show_verbose", false);
  w.end_object();
}

void function_call(JsonWriter& w, const std::string& name) {
  w.key("function_call");
  w.begin_object();
  w.member("called_as", std::string_view(name));
  if (const eval::Function* f = known_function(name)) {
    w.key("signature");
    w.begin_object();
    w.member("name", f->name);
    if (!f->params.empty()) {
      w.key("params");
      w.begin_array();
      for (const eval::Param& p : f->params) parameter(w, p);
      w.end_array();
    }
    if (f->variadic) {
      w.key("variadic_param");
      parameter(w, *f->variadic);
    }
    w.key("return_type");
    w.raw(eval::signature_type(*f).json());
    w.end_object();
  }
  w.end_object();
}

}  // namespace

void write_diagnostic(JsonWriter& w, const Diagnostic& d, Snippets* snippets) {
  w.begin_object();
  w.member("severity", d.severity == Severity::Error ? "error" : "warning");
  w.member("summary", std::string_view(d.summary));
  w.member("detail", std::string_view(d.detail));
  if (!d.address.empty()) w.member("address", std::string_view(d.address));
  Snippet s;
  if (snippets && snippets->find(d, s)) {
    w.key("range");
    w.begin_object();
    w.member("filename", s.file);
    position(w, "start", s.start);
    position(w, "end", s.end);
    w.end_object();
    w.key("snippet");
    w.begin_object();
    w.key("context");
    if (s.block.empty())
      w.null();
    else
      w.string(s.block);
    w.member("code", s.code);
    w.member("start_line", s.first_line);
    w.member("highlight_start_offset", static_cast<int64_t>(s.mark_begin));
    w.member("highlight_end_offset", static_cast<int64_t>(std::max(s.mark_end, s.mark_begin + 1)));
    w.key("values");
    w.begin_array();
    auto sorted = d.values;
    std::sort(sorted.begin(), sorted.end());
    for (const auto& [name, statement] : sorted) {
      w.begin_object();
      w.member("traversal", std::string_view(name));
      w.member("statement", std::string_view(statement));
      w.end_object();
    }
    w.end_array();
    if (!d.function_name.empty()) function_call(w, d.function_name);
    if (d.compared && config::dialect() == config::Dialect::Xplan) comparison(w, *d.compared);
    w.end_object();
  }
  w.end_object();
}

std::string validate_json(const Diagnostics& diags, const SourceTable* sources) {
  std::vector<const Diagnostic*> all = sorted_diagnostics(diags);
  auto errors = std::count_if(all.begin(), all.end(),
                              [](const Diagnostic* d) { return d->severity == Severity::Error; });
  std::unique_ptr<Snippets> snippets;
  if (sources) snippets = std::make_unique<Snippets>(*sources);
  JsonWriter w(2);
  w.begin_object();
  w.member("format_version", "1.0");
  w.member("valid", errors == 0);
  w.member("error_count", static_cast<int64_t>(errors));
  w.member("warning_count", static_cast<int64_t>(all.size()) - errors);
  w.key("diagnostics");
  w.begin_array();
  for (const Diagnostic* d : all) write_diagnostic(w, *d, snippets.get());
  w.end_array();
  w.end_object();
  return w.take() + "\n";
}

}  // namespace xplan::render
