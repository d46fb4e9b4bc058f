// The entry points of evaluation and the dispatch over kinds of expressions: depth and work limits, long
// operator chains unrolled, traversals resolved in a scope. Operators, calls, templates and collections have
// files of their own.
#include <chrono>
#include <memory>

#include "core/eval/evaluator.h"
#include "core/eval/limits.h"
#include "core/value/refine.h"

namespace xplan::eval {

namespace {
thread_local int depth = 0;
// Since depth was 0:
thread_local size_t rounds_done = 0;
thread_local std::optional<std::chrono::steady_clock::time_point> heard;  // when the run was found to end

// Kinds whose first operand is their leftmost part: a chain of them is as deep as it is long, so it is
// unrolled.
bool is_chain(ExprKind k) {
  switch (k) {
    case ExprKind::Binary:
    case ExprKind::Unary:
    case ExprKind::Index:
    case ExprKind::RelTraversal:
    case ExprKind::Splat:
    case ExprKind::Parens:
    case ExprKind::TemplateWrap:
      return true;
    case ExprKind::Literal:
    case ExprKind::Traversal:
    case ExprKind::Template:
    case ExprKind::TemplateIf:
    case ExprKind::TemplateFor:
    case ExprKind::Tuple:
    case ExprKind::Object:
    case ExprKind::Call:
    case ExprKind::Conditional:
    case ExprKind::SplatItem:
    case ExprKind::For:
      return false;
  }
  return false;
}

// The expressions of a chain from the outermost inwards; the first few without an allocation.
class Chain {
 public:
  void push(const Expr* e) {
    if (size_ < kInline)
      first_[size_] = e;
    else
      more_.push_back(e);
    ++size_;
  }
  bool empty() const { return size_ == 0; }
  const Expr* pop() {
    --size_;
    if (size_ < kInline) return first_[size_];
    const Expr* e = more_.back();
    more_.pop_back();
    return e;
  }

 private:
  static constexpr size_t kInline = 6;
  const Expr* first_[kInline];
  size_t size_ = 0;
  std::vector<const Expr*> more_;
};

class ConstantScope : public Scope {
 public:
  Value resolve(const syntax::Traversal& t, Diagnostics& diags) const override {
    const std::string text = traversal_text(t, t.steps.size());
    diags.error(
        "Reference not allowed",
        "\"" + text + "\" " + (t.steps.empty() ? "has no quotes, so it " : "") +
            "refers to another object, but this value is needed before any object is evaluated. Write "
            "the value itself" +
            (t.steps.empty() ? "; for a string, write \"" + text + "\", with quotes." : "."),
        t.range);
    return Value::unknown();
  }
  const FunctionTable& functions() const override { return none_; }

 private:
  FunctionTable none_;
};
}  // namespace

DepthGuard::DepthGuard() {
  if (++depth == 1) rounds_done = 0, heard.reset();
}
DepthGuard::~DepthGuard() {
  --depth;
}
bool DepthGuard::too_deep() const {
  return depth > kMaxEvalDepth;
}

bool interrupted(const std::atomic<bool>* stop) {
  constexpr auto kMoment = std::chrono::milliseconds(200);
  if (!stop || !stop->load(std::memory_order_relaxed)) return false;
  const auto now = std::chrono::steady_clock::now();
  if (!heard) heard = now;
  return now - *heard >= kMoment;
}

Value give_up(CallError& error) {
  error = {.message = kInterrupted, .argument = -1, .gave_up = true};
  return {};
}

void report_interrupted(Range where, Diagnostics& diags) {
  diags.error("Evaluation was interrupted", "The run was stopped while this was being evaluated.", where);
}

bool Evaluator::stopped(const Expr& e) {
  if (!interrupted(scope_.functions().stop)) return false;
  report_interrupted(e.range, diags_);
  return true;
}

bool Evaluator::another_round(const Expr& e, size_t errors) {
  const bool told = diags_.error_count() != errors;  // by a loop inside of it
  if (interrupted(scope_.functions().stop)) return told || stopped(e), false;
  if (++rounds_done <= kMaxRounds) return true;
  if (!told)
    diags_.error("Too many iterations",
                 "The loops of this expression have more than " + std::to_string(kMaxRounds) +
                     " iterations, which is the limit.",
                 e.range);
  return false;
}

bool another_rendering() {
  if (rounds_done <= kMaxRounds) rounds_done += kRenderingRounds;
  return rounds_done <= kMaxRounds;
}

Evaluator Evaluator::with(Diagnostics& diags, bool quiet) const {
  Evaluator child(scope_, diags);
  child.loop_ = loop_;
  child.splat_item_ = splat_item_;
  child.type_ok_ = type_ok_;
  child.quiet_ = quiet || quiet_;
  return child;
}

Value Evaluator::eval(const Expr& e) {
  if (e.kind == ExprKind::Literal) return e.value;
  if (e.kind == ExprKind::Traversal) return traversal(e);
  if (e.kind == ExprKind::SplatItem) return splat_item_ ? *splat_item_ : Value::unknown();
  return eval_compound(e);
}

Value Evaluator::eval_compound(const Expr& e) {
  DepthGuard guard;
  if (guard.too_deep()) {
    diags_.error(
        "Expression nested too deeply",
        "More than " + std::to_string(kMaxEvalDepth) +
            " operations are nested here, which is the limit. Move parts of the expression to local values.",
        e.range);
    return Value::unknown();
  }
  return limited(is_chain(e.kind) ? eval_chain(e) : dispatch(e), e);
}

Value Evaluator::dispatch(const Expr& e) {
  switch (e.kind) {
    case ExprKind::Template:
      return template_string(e);
    case ExprKind::TemplateIf:
      return template_if(e);
    case ExprKind::TemplateFor:
      return template_for(e);
    case ExprKind::Tuple:
      return tuple(e);
    case ExprKind::Object:
      return object(e);
    case ExprKind::Call:
      return call(e);
    case ExprKind::Conditional:
      return conditional(e);
    case ExprKind::For:
      return e.is_object_for ? for_object(e) : for_tuple(e);
    case ExprKind::Literal:
    case ExprKind::Traversal:
    case ExprKind::TemplateWrap:
    case ExprKind::Unary:
    case ExprKind::Binary:
    case ExprKind::Index:
    case ExprKind::RelTraversal:
    case ExprKind::Splat:
    case ExprKind::SplatItem:
    case ExprKind::Parens:
      break;  // the chain kinds and leaves were handled above
  }
  return Value::unknown();
}

Value Evaluator::eval_chain(const Expr& e) {
  Chain chain;
  const Expr* x = &e;
  for (; x->a && is_chain(x->kind); x = x->a) {
    if (type_ok_ == x && (x->kind == ExprKind::Parens || x->kind == ExprKind::TemplateWrap)) type_ok_ = x->a;
    chain.push(x);
  }
  Value v = eval(*x);
  while (!chain.empty()) {
    const Expr& op = *chain.pop();
    switch (op.kind) {
      case ExprKind::Binary: {
        Value right = eval(*op.b);
        v = binary(op, std::move(v), std::move(right));
        break;
      }
      case ExprKind::Unary:
        v = unary(op, std::move(v));
        break;
      case ExprKind::Index: {
        Value key = eval(*op.b);
        size_t before = diags_.size();
        Value element = apply_index(v, key, op.b->range, diags_);
        if (diags_.size() != before) name_instances(before, op, v, key);
        v = std::move(element);
        describe(before, op);
        break;
      }
      case ExprKind::RelTraversal: {
        size_t before = diags_.size();
        v = apply_steps(std::move(v), op.traversal->steps, diags_);
        describe(before, op);
        break;
      }
      case ExprKind::Splat:
        v = splat(op, std::move(v));
        break;
      case ExprKind::Literal:
      case ExprKind::Traversal:
      case ExprKind::Template:
      case ExprKind::TemplateWrap:
      case ExprKind::TemplateIf:
      case ExprKind::TemplateFor:
      case ExprKind::Tuple:
      case ExprKind::Object:
      case ExprKind::Call:
      case ExprKind::Conditional:
      case ExprKind::SplatItem:
      case ExprKind::For:
      case ExprKind::Parens:
        break;  // Parens and TemplateWrap: the value as it is
    }
  }
  return v;
}

void Evaluator::name_instances(size_t from, const Expr& e, const Value& whole, const Value& key) {
  if (e.a->kind != ExprKind::Traversal || (loop_ && loop_->find(e.a->traversal->root))) return;
  const std::string name = scope_.instances_of(*e.a->traversal);
  if (name.empty()) return;
  auto& all = diags_.mutable_all();
  all.erase(all.begin() + static_cast<std::ptrdiff_t>(from), all.end());
  diags_.recount();
  apply_instance_key(whole, name, key, e.b->range, diags_);
}

Value Evaluator::traversal(const Expr& e) {
  const syntax::Traversal& t = *e.traversal;
  size_t before = diags_.size();
  if (loop_) {
    if (const Value* v = loop_->find(t.root)) {
      if (t.steps.empty()) return *v;
      Value result = apply_steps(*v, t.steps, diags_);
      describe(before, e);
      return result;
    }
  }
  Value result = scope_.resolve(t, diags_);
  describe(before, e);
  return result;
}

// A few values that contain each other are small in memory, and may be endless on paper. What works on a
// value may go through all of it, so none that is too large is passed on.
Value Evaluator::limited(Value v, const Expr& e) {
  if (v.written_size() > kMaxElements)
    diags_.error("Value too large",
                 "Fully expanded, this value has more than " + std::to_string(kMaxElements) +
                     " elements, which is the limit. Parts that occur several times are counted each time, "
                     "and long strings by their length.",
                 e.range);
  else if (v.is_number() && v.is_known() && v.as_number().too_large())
    diags_.error("Value too large", "This value cannot be computed: " + std::string(kTooManyDigits) + ".",
                 e.range);
  else
    return v;
  return Value::unknown();
}

Value evaluate(const Expr& e, const Scope& scope, Diagnostics& diags) {
  Evaluator evaluator(scope, diags);
  evaluator.allow_type_at(e);
  Value v = evaluator.limited(evaluator.eval(e), e);
  if (v.nesting() > kMaxNesting)
    diags.error("Value nested too deeply",
                "This value is nested more than " + std::to_string(kMaxNesting) + " levels deep.", e.range);
  else
    return v;
  return Value::unknown();
}

Value evaluate_as(const Expr& e, Type want, const Scope& scope, Diagnostics& diags) {
  size_t errors = diags.error_count();
  Value v = evaluate(e, scope, diags);
  if (v.type() == want || diags.error_count() != errors) return v.type() == want ? v : Value::unknown(want);
  ConversionError why;
  if (auto converted = convert(v, want, &why)) return *converted;
  describe_names(
      diags.error("Incorrect value type",
                  "This value is not suitable: " + (v.contains_marks() ? why.message : why.text()) + ".",
                  e.range),
      e, scope);
  return Value::unknown(want);
}

const Scope& constants() {
  static const ConstantScope scope;
  return scope;
}

Value evaluate_constant(const Expr& e, Diagnostics& diags) {
  return evaluate(e, constants(), diags);
}

Value NamesScope::resolve(const syntax::Traversal& t, Diagnostics& diags) const {
  for (const auto& [name, value] : names)
    if (name == t.root) return t.steps.empty() ? value : apply_steps(value, t.steps, diags);
  std::vector<std::string_view> known;
  known.reserve(names.size());
  for (const auto& entry : names) known.push_back(entry.first.sv());
  std::string_view near = did_you_mean(t.root.sv(), known);
  std::string detail = "There is no value named \"" + std::string(t.root.sv()) + "\" here.";
  if (!near.empty()) detail += " Did you mean \"" + std::string(near) + "\"?";
  diags.error("Unknown name", std::move(detail), t.root_range.valid() ? t.root_range : t.range, t.range);
  return Value::unknown();
}

}  // namespace xplan::eval
