// Upgrades: states of older versions of a schema become the present one, from struct to struct.
//
//   kit::Upgrades<Note> upgrades() const override { return kit::chain<Note>(from_v0, from_v1); }  // version
//   2
//
// with `NoteV1 from_v0(const NoteV0&)` and `Note from_v1(const NoteV1&)`, functions or lambdas.
// Who calls it: authors of resources; typed.h, when the engine has an object of an older version.
// Contract: checked when compiled: each step takes what the one before gives. The step at place n is from
// version n, and there are as many as the present version. What is in the recorded state but not in the old
// struct is left out, and what is missing is null. A step may throw. Cost: linear. Thread-safety: immutable.
#pragma once
#include <any>
#include <string_view>
#include <vector>

#include "core/provider/kit/fields.h"

namespace xplan::kit {

class UpgradeSteps {
 public:
  uint64_t version() const { return steps_.size(); }
  bool knows(uint64_t version) const { return version < steps_.size(); }
  Value run(uint64_t version, std::string_view json, ProviderDiags& diags) const;

 private:
  struct Step {
    Type type;
    std::function<std::any(const Value&, ProviderDiags&)> read;
    std::function<std::any(const std::any&)> run;
  };
  template <class S, class... F>
  friend auto chain(F... steps);
  template <class From, class To>
  void add(std::function<To(From)> f) {
    using Old = std::decay_t<From>;
    steps_.push_back({fields_of<Old>().type(),
                      [](const Value& v, ProviderDiags& diags) -> std::any {
                        std::optional<Old> old = from_value<Old>(v, diags);
                        return old ? std::any(std::move(*old)) : std::any();
                      },
                      [f](const std::any& old) -> std::any { return f(std::any_cast<const Old&>(old)); }});
    write_ = [](const std::any& v) { return to_value(std::any_cast<const To&>(v)); };
  }
  std::vector<Step> steps_;
  std::function<Value(const std::any&)> write_;
};

template <Model S>
class Upgrades : public UpgradeSteps {};

template <class F>
struct StepTypes;
template <class From, class To>
struct StepTypes<std::function<To(From)>> {
  using Old = std::decay_t<From>;
  using New = To;
};
template <class S>
struct LastStep {
  using Old = S;
};
// Whether each of these takes what the one before gives.
template <class F, class G, class... Rest>
consteval bool fits_together() {
  if constexpr (sizeof...(Rest) > 0)
    return std::same_as<typename F::New, typename G::Old> && fits_together<G, Rest...>();
  return std::same_as<typename F::New, typename G::Old>;
}

template <class S, class... F>
auto chain(F... steps) {
  static_assert(fits_together<StepTypes<decltype(std::function(steps))>..., LastStep<S>>(),
                "each step must take what the step before gives, and the last must give the present struct");
  Upgrades<S> out;
  (out.add(std::function(std::move(steps))), ...);
  return out;
}

}  // namespace xplan::kit
