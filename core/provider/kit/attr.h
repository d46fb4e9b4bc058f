// Attr<T>: a value of an attribute that may be null or unknown; Set<T>: a vector that is a set to the schema.
//
// Who calls it: authors of providers, as members of the structs that stand for their objects (see fields.h).
// A member without Attr is always known and never null; reading anything else into it is an error with a
// path. Invariant: exactly one of null, unknown and known; null unless told. value() of what is not known
// throws. Cost: that of T and a byte. Thread-safety: plain data.
#pragma once
#include <concepts>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

namespace xplan::kit {

struct Null {};
struct Unknown {};
inline constexpr Null null{};
inline constexpr Unknown unknown{};

// Stands for any member where the members of a struct are counted.
struct AnyMember {
  template <class T>
  operator T() const;
};

template <class T, class U>
concept AttrOf = std::convertible_to<U, T> && !std::same_as<std::remove_cvref_t<U>, AnyMember> &&
                 (!std::same_as<T, bool> || std::same_as<std::remove_cvref_t<U>, bool>);

template <class T>
class Attr {
 public:
  using Inner = T;
  Attr() = default;
  Attr(Null) {}
  Attr(Unknown) : unknown_(true) {}
  template <class U>
  requires AttrOf<T, U> Attr(U&& v) : value_(std::in_place, std::forward<U>(v)) {}

  bool is_null() const { return !value_ && !unknown_; }
  bool is_unknown() const { return unknown_; }
  bool has_value() const { return value_.has_value(); }
  const T& value() const { return value_.value(); }
  T& value() { return value_.value(); }
  const T& operator*() const { return value(); }
  T& operator*() { return value(); }
  const T* operator->() const { return &value(); }
  T* operator->() { return &value(); }
  T value_or(T other) const { return value_ ? *value_ : std::move(other); }
  friend bool operator==(const Attr&, const Attr&) = default;

 private:
  std::optional<T> value_;
  bool unknown_ = false;
};

template <class T>
struct Set : std::vector<T> {
  using std::vector<T>::vector;
};

}  // namespace xplan::kit
