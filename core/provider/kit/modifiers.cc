// The ready plan modifiers (requires_replace, use_state_for_unknown …) and equivalences (ignoring case,
// trimmed, JSON) for provider authors.
#include "core/provider/kit/modifiers.h"

#include <algorithm>

#include "core/value/json.h"

namespace xplan::kit {
namespace {

bool is_change(const ModifyRequest& r) {
  return !r.creating() && !r.destroying() && !r.plan.raw_equal(r.prior) &&
         !(r.plan.is_null() && r.prior.is_null());
}

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

std::string_view trimmed(std::string_view s) {
  constexpr std::string_view kSpace = " \t\r\n\v\f";
  size_t from = s.find_first_not_of(kSpace);
  return from == std::string_view::npos ? std::string_view()
                                        : s.substr(from, s.find_last_not_of(kSpace) - from + 1);
}

}  // namespace

PlanModifier requires_replace() {
  return {"Changing this value replaces the object.",
          [](const ModifyRequest& r, ModifyResponse& out) {
            if (is_change(r)) out.requires_replace = true;
          },
          true};
}

PlanModifier requires_replace_if(std::function<bool(const ModifyRequest&)> condition,
                                 std::string description) {
  return {std::move(description),
          [condition = std::move(condition)](const ModifyRequest& r, ModifyResponse& out) {
            if (is_change(r) && condition(r)) out.requires_replace = true;
          },
          true};
}

PlanModifier requires_replace_if_configured() {
  return requires_replace_if([](const ModifyRequest& r) { return !r.config.is_null(); },
                             "Changing this value in the configuration replaces the object.");
}

PlanModifier use_state_for_unknown() {
  return {"Once set, this value never changes for the lifetime of the object.",
          [](const ModifyRequest& r, ModifyResponse& out) {
            if (!r.destroying() && !r.prior.is_null() && r.plan.is_unknown() && !r.config.is_unknown())
              out.plan = r.prior;
          }};
}

PlanModifier modifier(std::string description,
                      std::function<void(const ModifyRequest&, ModifyResponse&)> run) {
  return {std::move(description), std::move(run)};
}

bool same_ignoring_case(const Value& a, const Value& b) {
  if (!a.is_string() || !b.is_string()) return a.raw_equal(b);
  std::string_view x = a.as_string(), y = b.as_string();
  return std::equal(x.begin(), x.end(), y.begin(), y.end(),
                    [](char p, char q) { return lower(p) == lower(q); });
}

bool same_trimmed(const Value& a, const Value& b) {
  if (!a.is_string() || !b.is_string()) return a.raw_equal(b);
  return trimmed(a.as_string()) == trimmed(b.as_string());
}

bool same_json(const Value& a, const Value& b) {
  if (a.raw_equal(b)) return true;
  if (!a.is_string() || !b.is_string()) return false;
  Result<Value> x = parse_json(a.as_string()), y = parse_json(b.as_string());
  return x && y && x->raw_equal(*y);
}

}  // namespace xplan::kit
