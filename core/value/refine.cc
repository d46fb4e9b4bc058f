// Ranges of known and unknown values and tests against them, narrowing unknown values, string prefixes that
// are safe to keep; and whether a type conforms to another one.
#include "core/value/refine.h"

#include <algorithm>

#include "core/base/utf8.h"

namespace xplan {
namespace {

// The usual separators never combine with what follows them, so a prefix may end in one.
bool always_ends_cluster(std::string_view cluster) {
  constexpr std::string_view kSeparators = "-_:;/\\,.(){}[]|?!~ \t@#$%^&*+\"'";
  return cluster.size() == 1 && kSeparators.find(cluster[0]) != std::string_view::npos;
}

}  // namespace

bool type_conforms_to(Type given, Type wanted) {
  if (wanted.is_dynamic() || given == wanted) return true;
  if (given.kind() != wanted.kind() || !wanted.has_dynamic()) return false;
  if (wanted.is_collection()) return type_conforms_to(given.element(), wanted.element());
  auto a = given.elements(), b = wanted.elements();
  auto n = given.attr_names(), m = wanted.attr_names();
  if (a.size() != b.size() || !std::equal(n.begin(), n.end(), m.begin(), m.end())) return false;
  for (size_t i = 0; i < a.size(); ++i)
    if (!type_conforms_to(a[i], b[i])) return false;
  return true;
}

Refinement range_of(const Value& v) {
  if (v.is_unknown()) return v.refinement();
  Refinement r;
  if (v.is_null()) return r;
  r.not_null = true;
  if (v.is_string()) {
    r.prefix = std::string(v.as_string());
  } else if (v.is_number()) {
    r.has_lower = r.has_upper = true;
    r.lower = r.upper = v.as_number();
  } else if (v.type().is_collection()) {
    r.min_length = r.max_length = static_cast<int64_t>(v.length());
    if (v.kind() == Kind::Set && !v.is_wholly_known()) r.min_length = v.length() ? 1 : 0;
  }
  return r;
}

Tri range_includes(Type type, const Refinement& range, const Value& known) {
  if (known.is_null()) return range.not_null ? Tri::No : Tri::Yes;
  if (!type_conforms_to(known.type(), type)) return Tri::No;
  if (known.is_unknown() || known.type().is_dynamic()) return Tri::Unknown;
  if (known.is_string()) {
    if (!known.as_string().starts_with(range.prefix)) return Tri::No;
  } else if (known.is_number()) {
    if (!range.has_lower && !range.has_upper) return Tri::Unknown;
    Number n = known.as_number();
    auto outside = [](std::strong_ordering o, bool inclusive) { return o < 0 || (o == 0 && !inclusive); };
    if (range.has_lower && outside(n <=> range.lower, range.lower_inclusive)) return Tri::No;
    if (range.has_upper && outside(range.upper <=> n, range.upper_inclusive)) return Tri::No;
  } else if (known.type().is_collection()) {
    Refinement length = range_of(known);
    if (length.max_length < range.min_length || length.min_length > range.max_length) return Tri::No;
  }
  return Tri::Unknown;
}

Value refine(const Value& v, const Refinement& more) {
  if (v.is_known() || v.type().is_dynamic()) return v;
  Refinement r = v.refinement();
  r.not_null |= more.not_null;
  if (more.prefix.size() > r.prefix.size()) r.prefix = more.prefix;
  // The narrower bound wins; of equal bounds the one that excludes the bound itself.
  if (more.has_lower) {
    auto o = r.has_lower ? more.lower <=> r.lower : std::strong_ordering::greater;
    if (o > 0 || (o == 0 && !more.lower_inclusive))
      r.lower = more.lower, r.lower_inclusive = more.lower_inclusive;
    r.has_lower = true;
  }
  if (more.has_upper) {
    auto o = r.has_upper ? more.upper <=> r.upper : std::strong_ordering::less;
    if (o < 0 || (o == 0 && !more.upper_inclusive))
      r.upper = more.upper, r.upper_inclusive = more.upper_inclusive;
    r.has_upper = true;
  }
  r.min_length = std::max(r.min_length, more.min_length);
  r.max_length = std::min(r.max_length, more.max_length);
  return Value::unknown(v.type(), r).with_marks(v.marks());
}

Value refine_not_null(const Value& v) {
  if (v.is_known() || v.is_definitely_not_null()) return v;
  Refinement r;
  r.not_null = true;
  return refine(v, r);
}

Value unknown_not_null(Type t) {
  return refine_not_null(Value::unknown(t));
}

// The last cluster may merge with what follows (a letter with an accent, a flag with its second half), so it
// is dropped; only separators are safe. That also covers composition, which never reaches beyond a cluster.
std::string safe_prefix(std::string_view given) {
  std::string prefix = nfc(given);
  if (prefix.empty()) return prefix;
  size_t last = graphemes(prefix).back();
  if (!always_ends_cluster(std::string_view(prefix).substr(prefix.size() - last)))
    prefix.resize(prefix.size() - last);
  return prefix;
}

}  // namespace xplan
