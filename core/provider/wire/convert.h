// Provider messages ↔ the engine's types: values, paths, diagnostics, identities. See schema.h for schemas.
//
// Who calls it: the plugin client and the provider kit's server, one in each direction; .cc files only.
// Contract: M is a message of either protocol (P5:: or P6::); the definitions are in convert.cc, instantiated
// for both. put_* fill messages, get_* read them and believe nothing: a value conforms to `declared` or is an
// Error. An absent value is a null. Values must have no marks.  Cost: linear.  Thread-safety: pure.
#pragma once
#include "core/base/result.h"
#include "core/provider/provider.h"
#include "core/provider/wire/messages.h"

namespace xplan::wire {

template <class M>  // DynamicValue
void put_value(M* out, const Value& v, Type declared);
// MessagePack or JSON. An infinite number is an error; where `infinite` is asked for, it gets the place of
// one, and the value has null there.
template <class M>
Result<Value> get_value(const M& in, Type declared, std::optional<Path>* infinite = nullptr);
std::string infinite_number(const Path& at);  // what is wrong then
template <class M>
bool has_value(const M& in) {  // anything at all, a null too
  return !in.msgpack().empty() || !in.json().empty();
}

// A step into a set has no form on the wire: the path then ends at the set, in both directions.
template <class M>  // AttributePath
void put_path(M* out, const Path& path);
template <class M>
Path get_path(const M& in);

template <class M>  // Diagnostic
void put_diags(google::protobuf::RepeatedPtrField<M>* out, const ProviderDiags& diags);
// Texts are made valid UTF-8; a severity that does not exist counts as an error.
template <class M>
void get_diags(const google::protobuf::RepeatedPtrField<M>& in, ProviderDiags& out);

// Deferred: nothing is set for None; an unknown reason reads as ResourceConfigUnknown.
template <class Response>
void put_deferred(Response* out, Deferral d) {
  using Reason = std::decay_t<decltype(out->deferred().reason())>;
  if (d != Deferral::None) out->mutable_deferred()->set_reason(static_cast<Reason>(d));
}
template <class Response>
Deferral get_deferred(const Response& in) {
  if (!in.has_deferred()) return Deferral::None;
  int reason = static_cast<int>(in.deferred().reason());
  return reason >= 1 && reason <= 3 ? static_cast<Deferral>(reason) : Deferral::ResourceConfigUnknown;
}

std::string clean_text(const std::string& s);  // valid UTF-8

}  // namespace xplan::wire
