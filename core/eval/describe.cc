// The values that go with an error: which names the wrong expression uses and what they stand for.
#include <algorithm>

#include "core/base/text.h"
#include "core/eval/evaluator.h"
#include "core/syntax/body.h"

namespace xplan::eval {

namespace {
constexpr size_t kMaxDescribed = 12;   // values listed with one error
constexpr size_t kMaxTextBytes = 200;  // of a string shown with an error

std::string count_of(size_t n, std::string_view singular, std::string_view plural) {
  return std::to_string(n) + " " + std::string(n == 1 ? singular : plural);
}

std::string describe_instances(const Value& v) {
  return v.length() == 0 ? "has no instances" : "has " + count_of(v.length(), "instance", "instances");
}
}  // namespace

std::string kind_noun(Type t) {
  if (t.is_dynamic()) return "a value of any type";
  return with_article(t.friendly_name());
}

std::string describe_value(const Value& v) {
  if (v.has_mark(kSensitive)) return "has a sensitive value";
  if (v.has_mark(kEphemeral)) return "has an ephemeral value";
  if (v.is_unknown())
    return v.type().is_dynamic() ? "is known only after apply"
                                 : "is " + kind_noun(v.type()) + ", known only after apply";
  switch (v.kind()) {
    case Kind::Null:
      return "is null";
    case Kind::Bool:
      return v.as_bool() ? "is true" : "is false";
    case Kind::Int:
    case Kind::Num:
      return "is " + v.as_number().text();
    case Kind::Str: {
      std::string_view s = v.as_string();
      if (s.size() <= kMaxTextBytes) return "is " + syntax::quote(s);
      size_t cut = kMaxTextBytes;
      while (cut > 0 && (static_cast<unsigned char>(s[cut]) & 0xC0) == 0x80) --cut;
      return "begins with " + syntax::quote(s.substr(0, cut));
    }
    case Kind::Obj:
      return v.length() == 0 ? "is an object without attributes"
                             : "is an object with " + count_of(v.length(), "attribute", "attributes");
    case Kind::Seq:
    case Kind::Set:
    case Kind::Map: {
      std::string noun = v.type().is_tuple() ? "a tuple" : kind_noun(v.type());
      return v.length() == 0 ? "is an empty " + noun.substr(noun.find(' ') + 1)
                             : "is " + noun + " with " + count_of(v.length(), "element", "elements");
    }
    case Kind::TypeVal:
      return "is a type";
    case Kind::Unknown:
      break;
  }
  return "is known only after apply";
}

std::string traversal_text(const syntax::Traversal& t, size_t steps) {
  std::string out(t.root.sv());
  for (const auto& step : t.steps.first(std::min(steps, t.steps.size()))) {
    if (step.is_attr) {
      out += '.';
      out += step.attr.sv();
    } else if (step.index.is_string()) {
      out += '[' + syntax::quote(step.index.as_string()) + ']';
    } else if (step.index.is_number()) {
      out += '[' + step.index.as_number().text() + ']';
    } else {
      out += "[…]";
    }
  }
  return out;
}

Diagnostic& Evaluator::describe(Diagnostic& d, const Expr& part) {
  if (quiet_ || !d.values.empty()) return d;
  std::vector<const syntax::Traversal*> used;
  syntax::collect_traversals(part, used);
  for (const syntax::Traversal* t : used) {
    if (d.values.size() >= kMaxDescribed) break;
    const Value* local = loop_ ? loop_->find(t->root) : nullptr;
    // The longest part that has a value: of a.b.c, a.b when there is no c.
    for (size_t n = t->steps.size() + 1; n-- > 0;) {
      Diagnostics discarded;
      Value v;
      syntax::Traversal shorter = *t;
      shorter.steps = t->steps.first(n);
      v = local ? apply_steps(*local, shorter.steps, discarded) : scope_.resolve(shorter, discarded);
      if (discarded.has_errors() || (!local && scope_.failed(shorter))) continue;
      std::string text = traversal_text(*t, n);
      auto same = [&](const auto& entry) { return entry.first == text; };
      const bool instances = !local && !scope_.instances_of(shorter).empty();
      if (std::find_if(d.values.begin(), d.values.end(), same) == d.values.end())
        d.values.emplace_back(std::move(text), instances ? describe_instances(v) : describe_value(v));
      break;
    }
  }
  std::sort(d.values.begin(), d.values.end());
  return d;
}

void Evaluator::describe(size_t from, const Expr& part) {
  if (quiet_ || diags_.size() == from) return;
  auto& all = diags_.mutable_all();
  for (size_t i = from; i < all.size(); ++i) {
    const Range& at = all[i].subject;
    // What a name stands for may be wrong where it is set.
    if (at.valid() && (at.begin < part.range.begin || at.end > part.range.end)) continue;
    if (!all[i].context.valid() && at != part.range) all[i].context = part.range;
    if (all[i].severity == Severity::Error) describe(all[i], part);
  }
}

void Evaluator::drop_repeated(size_t from) {
  auto& all = diags_.mutable_all();
  for (size_t i = from; i < all.size(); ++i) {
    auto repeats = [&](const Diagnostic& d) {
      return d.subject == all[i].subject && d.summary == all[i].summary && d.detail == all[i].detail;
    };
    all.erase(std::remove_if(all.begin() + i + 1, all.end(), repeats), all.end());
  }
  diags_.recount();
}

void describe_names(Diagnostic& d, const Expr& e, const Scope& scope) {
  Diagnostics unused;
  Evaluator(scope, unused).describe(d, e);
}

Diagnostic& Evaluator::error(std::string_view summary, std::string detail, const Expr& part,
                             const Expr& whole) {
  Diagnostic& d =
      diags_.error(summary, std::move(detail), part.range, part.range == whole.range ? Range{} : whole.range);
  return describe(d, part);
}

}  // namespace xplan::eval
