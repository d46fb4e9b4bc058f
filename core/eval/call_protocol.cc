// The table of functions and the protocol around every call: arity, nulls, conversion, unknowns and marks of
// arguments, refinement of the result, errors without marked values. See function.h.
#include <algorithm>

#include "core/base/text.h"
#include "core/eval/evaluator.h"
#include "core/eval/long_call.h"
#include "core/value/refine.h"

namespace xplan::eval {

namespace {
thread_local int nested_calls = 0;
struct NestedCall {
  NestedCall() { ++nested_calls; }
  ~NestedCall() { --nested_calls; }
};

std::string_view local_name(std::string_view name) {
  return name.starts_with("core::") ? name.substr(6) : name;
}

std::string with_full_stop(std::string s) {
  if (!s.empty() && s.back() != '.' && s.back() != '!' && s.back() != '?') s += '.';
  return s;
}

// One call being carried out.
struct Call {
  const Function& f;
  std::span<const Value> given;
  Range call_range;
  std::span<const Range> arg_ranges;
  Diagnostics& diags;
  Marks marks = 0;      // of the arguments that the implementation sees without them
  Marks all_marks = 0;  // of all arguments: what error messages must not show
  bool ok = true, unknown = false, untyped = false;

  const Param& param(size_t i) const { return i < f.params.size() ? f.params[i] : *f.variadic; }
  Range range(size_t i) const {
    return i < arg_ranges.size() && arg_ranges[i].valid() ? arg_ranges[i] : call_range;
  }

  void report(std::string_view summary, std::string detail, Range subject) {
    diags.error(summary, std::move(detail), subject, call_range).function_name = f.name;
    ok = false;
  }
  bool arity();
  void prepare(Value& v, size_t i);
  void failed(const CallError& error);
};

bool Call::arity() {
  size_t least = f.params.size();
  if (given.size() < least) {
    report("Missing function argument",
           "The function " + in_quotes(f.name) + " takes " + (f.variadic ? "at least " : "") +
               std::to_string(least) + (least == 1 ? " argument" : " arguments") + ", but this call has " +
               (given.empty() ? "none" : "only " + std::to_string(given.size())) + ": " +
               in_quotes(f.params[given.size()].name) + " is missing.",
           call_range);
    return false;
  }
  if (!f.variadic && given.size() > least) {
    report("Too many function arguments",
           "The function " + in_quotes(f.name) + " takes " +
               (least == 0 ? "no arguments"
                           : std::to_string(least) + (least == 1 ? " argument" : " arguments")) +
               ", but this call has " + std::to_string(given.size()) + ".",
           range(least));
    return false;
  }
  return true;
}

// Makes one argument what the implementation wants to see.
void Call::prepare(Value& v, size_t i) {
  const Param& p = param(i);
  if (v.contains_marks()) {
    Marks m = v.deep_marks();
    all_marks |= m;
    if (!p.allow_marked) {
      marks |= m;
      v = v.unmark_deep();
    }
  }
  if (!p.type.is_dynamic() && v.type() != p.type) {
    ConversionError why;
    auto converted = convert(v, p.type, &why);
    if (!converted) {
      report(
          "Unsuitable function argument",
          with_full_stop("The argument " + in_quotes(p.name) + " of " + in_quotes(f.name) +
                         " is not suitable: " + (v.contains_marks() || all_marks ? why.message : why.text())),
          range(i));
      return;
    }
    v = std::move(*converted);
  }
  if (v.is_null() && !p.allow_null) {
    report("Unsuitable function argument",
           "The argument " + in_quotes(p.name) + " of " + in_quotes(f.name) +
               " is null, which this function does not accept.",
           range(i));
    return;
  }
  if (f.closure && !p.allow_unknown && !v.is_wholly_known()) unknown = true;  // providers see no unknown part
  if (!v.is_unknown()) return;
  if (v.type().is_dynamic() && !p.allow_dynamic) {
    if (p.type.is_dynamic()) untyped = true;
    unknown = true;
  }
  if (!p.allow_unknown) unknown = true;
}

void Call::failed(const CallError& error) {
  if (error.gave_up) return report_interrupted(call_range, diags);
  std::string reason = all_marks & kSensitive ? "the reason is not shown, because an argument is sensitive"
                       : all_marks            ? "the reason is not shown, because an argument is ephemeral"
                                              : error.message;
  if (error.argument >= 0 && static_cast<size_t>(error.argument) < given.size()) {
    report("Unsuitable function argument",
           with_full_stop("The argument " + in_quotes(param(error.argument).name) + " of " +
                          in_quotes(f.name) + " is not suitable: " + reason),
           range(error.argument));
  } else {
    report("Function call failed", with_full_stop("The function " + in_quotes(f.name) + " failed: " + reason),
           call_range);
  }
}

// Arguments for an implementation; the usual few without an allocation.
class Arguments {
 public:
  explicit Arguments(std::span<const Value> given) : size_(given.size()) {
    if (size_ > kInline)
      more_.assign(given.begin(), given.end());
    else
      std::copy(given.begin(), given.end(), few_);
  }
  Value* data() { return size_ > kInline ? more_.data() : few_; }
  std::span<const Value> span() { return {data(), size_}; }

 private:
  static constexpr size_t kInline = 4;
  size_t size_;
  Value few_[kInline];
  std::vector<Value> more_;
};
}  // namespace

void FunctionTable::add(Function f) {
  std::string name(f.name);
  functions_[std::move(name)] = std::make_unique<Function>(std::move(f));
}

const Function* FunctionTable::find(std::string_view name) const {
  auto it = functions_.find(local_name(name));
  return it == functions_.end() || (it->second->addition && !additions) ? nullptr : it->second.get();
}

bool FunctionTable::has_addition(std::string_view name) const {
  return !additions && functions_.contains(local_name(name));
}

std::vector<std::string_view> FunctionTable::names() const {
  std::vector<std::string_view> out;
  out.reserve(functions_.size());
  for (const auto& entry : functions_)
    if (additions || !entry.second->addition) out.push_back(entry.first);
  std::sort(out.begin(), out.end());
  return out;
}

Value FunctionTable::call(const Function& f, std::span<const Value> args, Range call_range,
                          std::span<const Range> arg_ranges, Diagnostics& diags) const {
  Call call{f, args, call_range, arg_ranges, diags};
  if (!call.arity()) return Value::unknown();
  Arguments prepared(args);
  for (size_t i = 0; i < args.size(); ++i) call.prepare(prepared.data()[i], i);
  if (!call.ok) return Value::unknown();

  CallError error;
  Value result;
  if (call.untyped) {
    result = Value::unknown();
  } else if (call.unknown) {
    Type t = f.type_of ? f.type_of(prepared.span(), error) : f.returns;
    if (error.message.empty()) result = f.refine_not_null ? unknown_not_null(t) : Value::unknown(t);
  } else {
    NestedCall nested;
    CallContext context{base_dir,         now,  plan_time,       pure, this, call_range,
                        nested_calls - 1, stop, file_reads.get()};
    result = f.closure                                    ? f.closure(prepared.span(), error)
             : may_take_long(f, prepared.span(), context) ? call_apart(f, prepared.span(), context, error)
             : f.impl                                     ? f.impl(prepared.span(), context, error)
                      : (error.message = "this function cannot be called here", Value::unknown());
    if (f.refine_not_null && result.is_unknown()) result = refine_not_null(result);
  }
  if (!error.message.empty()) {
    call.failed(error);
    return Value::unknown();
  }
  return call.marks ? result.with_marks(call.marks) : result;
}

}  // namespace xplan::eval
