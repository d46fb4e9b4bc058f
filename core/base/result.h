// Result<T>: a value or one Error, for leaves that work or do not (files, sockets, codecs, number parsing).
//
// Who calls it: base, value codecs, state stores, planfile. The first caller that knows the context turns an
// Error into a Diagnostic. Problems of a user's configuration use Diagnostics instead (core/diag): a Result
// carries one problem, a configuration has many.
// Invariant: exactly one of value and error is present.  Cost: a variant.  Thread-safety: as the value's.
#pragma once
#include <string>
#include <utility>
#include <variant>

namespace xplan {

struct Error {
  std::string message;  // a sentence without the final full stop, to go on or to stand inside another
  // The same standing alone, as the detail of a diagnostic does.
  std::string sentence() const {
    std::string out = message.ends_with('?') ? message : message + ".";
    if (out[0] >= 'a' && out[0] <= 'z') out[0] = static_cast<char>(out[0] - 'a' + 'A');
    return out;
  }
};

template <class T>
class [[nodiscard]] Result {
 public:
  Result(T v) : v_(std::in_place_index<0>, std::move(v)) {}
  Result(Error e) : v_(std::in_place_index<1>, std::move(e)) {}
  bool ok() const { return v_.index() == 0; }
  explicit operator bool() const { return ok(); }
  T& value() & { return std::get<0>(v_); }
  const T& value() const& { return std::get<0>(v_); }
  T&& value() && { return std::get<0>(std::move(v_)); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }
  const Error& error() const { return std::get<1>(v_); }

 private:
  std::variant<T, Error> v_;
};

template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error e) : error_(std::move(e)), ok_(false) {}
  bool ok() const { return ok_; }
  explicit operator bool() const { return ok_; }
  const Error& error() const { return error_; }

 private:
  Error error_;
  bool ok_ = true;
};

}  // namespace xplan
