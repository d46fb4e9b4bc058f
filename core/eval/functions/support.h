// What the function implementations share: reporting, reading arguments, result types.
//
// Who calls it: functions/*.cc only.
// Invariant: an implementation that fails has set CallError::message and returns fail()'s value, which nobody
// looks at.
// Cost: small helpers.
// Thread-safety: pure functions.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "core/eval/function.h"
#include "core/eval/limits.h"

namespace xplan::eval {

using Args = std::span<const Value>;

// Reports; the value (type) is a placeholder for `return fail(…)`.
Value fail(CallError& error, std::string message, int argument = -1);
Type fail_type(CallError& error, std::string message, int argument = -1);

// A parameter of any type.
Param any_param(std::string_view name);
// The same, of which the implementation sees null, unknown, dynamic-typed values.
Param open_param(std::string_view name);

// The argument as a 64-bit integer; reports and returns false when it is a fraction or too large.
bool whole_number(const Value& v, int64_t& out, CallError& error, int argument, std::string_view what);

bool is_sequence(Type t);         // list or tuple
bool is_sequence_or_set(Type t);  // list, tuple or set
// False for unknown values and for sets of which unknown elements may turn out to be equal.
bool length_is_known(const Value& v);

// Refuses results that would not fit into memory.
bool string_fits(size_t bytes, CallError& error);
bool elements_fit(size_t count, CallError& error);

// Hashing of wholly known, unmarked values of one type.
struct ValueHash {
  size_t operator()(const Value& v) const { return v.hash(); }
};
struct ValueSame {
  bool operator()(const Value& a, const Value& b) const { return a.raw_equal(b); }
};
using ValueHashSet = std::unordered_set<Value, ValueHash, ValueSame>;

// Registrations of the parts of register_strings and register_collections.
void register_string_parts(FunctionTable& table);
void register_replace(FunctionTable& table);
void register_lists(FunctionTable& table);
void register_search(FunctionTable& table);
void register_maps(FunctionTable& table);
void register_lookup(FunctionTable& table);
void register_coalesce(FunctionTable& table);
void register_flatten(FunctionTable& table);
void register_setproduct(FunctionTable& table);

}  // namespace xplan::eval
