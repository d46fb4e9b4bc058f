// Values, paths and diagnostics to and from protobuf messages, as templates instantiated for protocols 5 and
// 6.
#include "core/provider/wire/convert.h"

#include "core/base/utf8.h"
#include "core/value/json.h"
#include "core/value/msgpack.h"
#include "core/value/path.h"
#include "core/value/storable.h"

namespace xplan::wire {

std::string clean_text(const std::string& s) {
  if (utf8_valid(s)) return s;
  std::string out;
  for (size_t i = 0; i < s.size();) utf8_append(out, utf8_decode(s, i));
  return out;
}

template <class M>
void put_value(M* out, const Value& v, Type declared) {
  std::string* bytes = out->mutable_msgpack();
  bytes->clear();
  encode_msgpack(*bytes, v, declared);
}

std::string infinite_number(const Path& at) {
  return (at.empty() ? "" : path_text(at) + ": ") + "the number is infinite";
}

template <class M>
Result<Value> get_value(const M& in, Type declared, std::optional<Path>* infinite) {
  if (in.msgpack().empty() && in.json().empty()) return Value::null(declared);
  Result<Value> v =
      in.msgpack().empty() ? parse_json_as(in.json(), declared) : decode_msgpack(in.msgpack(), declared);
  if (!v) return v;
  std::optional<Path> found;
  Value out = storable_numbers(*v, found);
  if (infinite) *infinite = found;
  if (infinite || !found) return out;
  return Error{infinite_number(*found)};
}

template <class M>
void put_path(M* out, const Path& path) {
  for (const PathStep& step : path) {
    if (step.is_attr) {
      out->add_steps()->set_attribute_name(std::string(step.attr.sv()));
    } else if (step.index.is_string()) {
      out->add_steps()->set_element_key_string(std::string(step.index.as_string()));
    } else {
      if (!step.index.is_number()) return;
      std::optional<int64_t> n = step.index.as_number().exact_int64();
      if (!n) return;
      out->add_steps()->set_element_key_int(*n);
    }
  }
}

template <class M>
Path get_path(const M& in) {
  Path path;
  for (const auto& step : in.steps()) {
    if (step.has_attribute_name())
      path.push_back(PathStep::of_attr(clean_text(step.attribute_name())));
    else if (step.has_element_key_string())
      path.push_back(PathStep::of_index(Value::string(clean_text(step.element_key_string()))));
    else if (step.has_element_key_int())
      path.push_back(PathStep::of_index(Value::number(step.element_key_int())));
    else
      break;
  }
  return path;
}

template <class M>
void put_diags(google::protobuf::RepeatedPtrField<M>* out, const ProviderDiags& diags) {
  for (const ProviderDiag& d : diags) {
    M* m = out->Add();
    m->set_severity(d.severity == Severity::Error ? M::ERROR : M::WARNING);
    m->set_summary(clean_text(d.summary));
    m->set_detail(clean_text(d.detail));
    if (!d.path.empty()) put_path(m->mutable_attribute(), d.path);
  }
}

template <class M>
void get_diags(const google::protobuf::RepeatedPtrField<M>& in, ProviderDiags& out) {
  for (const M& m : in)
    out.push_back({m.severity() == M::WARNING ? Severity::Warning : Severity::Error, clean_text(m.summary()),
                   clean_text(m.detail()), get_path(m.attribute())});
}

#define XPLAN_INSTANTIATE(ns)                                                                         \
  template void put_value(ns::DynamicValue*, const Value&, Type);                                     \
  template Result<Value> get_value(const ns::DynamicValue&, Type, std::optional<Path>*);              \
  template void put_path(ns::AttributePath*, const Path&);                                            \
  template Path get_path(const ns::AttributePath&);                                                   \
  template void put_diags(google::protobuf::RepeatedPtrField<ns::Diagnostic>*, const ProviderDiags&); \
  template void get_diags(const google::protobuf::RepeatedPtrField<ns::Diagnostic>&, ProviderDiags&);
XPLAN_INSTANTIATE(tfplugin5)
XPLAN_INSTANTIATE(tfplugin6)
#undef XPLAN_INSTANTIATE

}  // namespace xplan::wire
