// Validators of which attributes of an object are set beside each other.
#include <fmt/format.h>

#include "core/provider/kit/validators.h"
#include "core/provider/kit/walk.h"

namespace xplan::kit {
namespace {

enum class Presence : uint8_t { Missing, Maybe, Set };

Presence presence(const Value& object, const std::string& name) {
  const Value& v = attribute_of(object, Symbol(name));
  if (v.is_unknown()) return Presence::Maybe;
  if (v.is_null()) return Presence::Missing;
  // Blocks that are not there are empty collections.
  return (v.kind() == Kind::Seq || v.kind() == Kind::Set) && v.length() == 0 ? Presence::Missing
                                                                             : Presence::Set;
}

struct Presences {
  std::vector<std::string> set, missing;
  bool maybe = false;
};
Presences presences(const Value& object, const std::vector<std::string>& names) {
  Presences out;
  for (const std::string& name : names) {
    const Presence p = presence(object, name);
    if (p == Presence::Set) out.set.push_back(name);
    if (p == Presence::Missing) out.missing.push_back(name);
    out.maybe = out.maybe || p == Presence::Maybe;
  }
  return out;
}

std::string names_list(const std::vector<std::string>& names) {
  return fmt::format("\"{}\"", fmt::join(names, "\", \""));
}

void wrong_set(ProviderDiags& diags, Path path, const std::string& attribute, const char* summary,
               std::string detail) {
  if (!attribute.empty()) path.push_back(PathStep::of_attr(attribute));
  diags.push_back({Severity::Error, summary, std::move(detail), std::move(path)});
}

Validator how_many(std::vector<std::string> names, bool at_least, bool at_most) {
  const std::string amount = at_least && at_most ? "Exactly one" : at_least ? "At least one" : "At most one";
  const std::string rule = fmt::format("{} of {} must be set", amount, names_list(names));
  return {rule + ".", [=](const ValidateRequest& r, ProviderDiags& diags) {
            if (r.value.kind() != Kind::Obj) return;
            const Presences p = presences(r.value, names);
            if (at_most && p.set.size() > 1)
              wrong_set(diags, r.path, p.set[1], "Conflicting attributes",
                        fmt::format("{}, but {} are.", rule, names_list(p.set)));
            if (at_least && p.set.empty() && !p.maybe)
              wrong_set(diags, r.path, "", "Missing attribute value", fmt::format("{}, but none is.", rule));
          }};
}

}  // namespace

Validator exactly_one_of(std::vector<std::string> names) {
  return how_many(std::move(names), true, true);
}
Validator at_least_one_of(std::vector<std::string> names) {
  return how_many(std::move(names), true, false);
}
Validator at_most_one_of(std::vector<std::string> names) {
  return how_many(std::move(names), false, true);
}
Validator required_together(std::vector<std::string> names) {
  return {fmt::format("{} must be set together.", names_list(names)),
          [=](const ValidateRequest& r, ProviderDiags& diags) {
            if (r.value.kind() != Kind::Obj) return;
            const Presences p = presences(r.value, names);
            if (!p.set.empty() && !p.missing.empty())
              wrong_set(diags, r.path, p.set[0], "Missing attribute value",
                        fmt::format("{} must be set together, but {} {} not set.", names_list(names),
                                    names_list(p.missing), p.missing.size() == 1 ? "is" : "are"));
          }};
}

Validator conflicts_with(std::vector<std::string> names) {
  return {fmt::format("Cannot be set together with {}.", names_list(names)),
          [=](const ValidateRequest& r, ProviderDiags& diags) {
            for (const std::string& name : names)
              if (presence(r.parent, name) == Presence::Set)
                wrong_set(diags, r.path, "", "Conflicting attributes",
                          fmt::format("This attribute cannot be set together with \"{}\".", name));
          }};
}
Validator requires_also(std::vector<std::string> names) {
  return {fmt::format("Must be set together with {}.", names_list(names)),
          [=](const ValidateRequest& r, ProviderDiags& diags) {
            for (const std::string& name : names)
              if (presence(r.parent, name) == Presence::Missing)
                wrong_set(
                    diags, r.path, "", "Missing attribute value",
                    fmt::format("This attribute must be set together with \"{}\", which is not set.", name));
          }};
}

}  // namespace xplan::kit
