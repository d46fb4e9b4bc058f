// A whole plan for documents: what its review half would not have is marked as sensitive, so that no form of
// it shows the value.
#include "core/review/redact.h"

namespace xplan::review {
namespace {

// Both values of an attribute are sensitive where the text of a secret is found in one of them: nobody is
// told that the attribute stops being sensitive. `was` is `by` before that text was looked for.
Value marked_alike(const Value& v, const Value& was, const Value& by) {
  if (by.raw_equal(was) || v.has_mark(kSensitive)) return v;
  if (by.has_mark(kSensitive)) return was.has_mark(kSensitive) ? v : v.with_marks(kSensitive);
  const bool parts = v.kind() == Kind::Obj && by.kind() == Kind::Obj && v.length() == by.length();
  if (!parts) return v;
  for (size_t i = 0; i < v.length(); ++i)
    if (v.type().attr_names()[i] != by.type().attr_names()[i]) return v;
  std::vector<Value> attrs;
  for (size_t i = 0; i < v.length(); ++i)
    attrs.push_back(marked_alike(v.elements()[i], was.elements()[i], by.elements()[i]));
  return Value::object(v.type(), std::move(attrs)).with_marks(v.marks());
}

}  // namespace

std::string Redactor::masked(std::string_view text) const {
  return without_secrets(text, [](std::string_view) { return "(sensitive value)"; });
}

void Redactor::mark(Change& c, Type declared) const {
  const Value before = marked(c.before, declared), after = marked(c.after, declared);
  const Value old = c.before;
  c.before = marked_alike(before, c.after, after);
  c.after = marked_alike(after, old, before);
  for (Value* v : {&c.import_identity, &c.before_identity, &c.after_identity}) *v = marked(*v, v->type());
  c.import_id = masked(c.import_id), c.generated_config = masked(c.generated_config);
}

Plan Redactor::marked(const Plan& p, const config::Config& config, const schema::Lookup& schemas) {
  (void)plan(p, config, schemas);  // which finds the secrets
  auto declared = [](const ResourceChange& c) {
    return c.schema ? c.schema->block.implied_type() : Type::dynamic();
  };
  Plan out = p;
  for (ResourceChange& c : out.changes) mark(c.change, declared(c));
  for (ResourceChange& c : out.drift) mark(c.change, declared(c));
  for (DeferredChange& d : out.deferred) mark(d.change.change, declared(d.change));
  for (OutputChange& o : out.outputs) mark(o.change, Type::dynamic());
  for (NamedValue& n : out.named) {
    n.value = marked(n.value, Type::dynamic());
    if (n.before) n.before = marked(*n.before, Type::dynamic());
  }
  for (RepeatedChange& r : out.repeated) r.returned = marked(r.returned, Type::dynamic());
  for (CheckResult& c : out.checks)
    for (CheckObject& o : c.objects)
      for (std::string& message : o.failure_messages) message = masked(message);
  out.build_index();
  return out;
}

}  // namespace xplan::review
