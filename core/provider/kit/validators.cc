// The ready validators of values: strings, numbers, lengths, elements.
#include "core/provider/kit/validators.h"

#include <fmt/format.h>
#include <re2/re2.h>
#include <algorithm>
#include <memory>
#include <stdexcept>

#include "core/base/duration.h"
#include "core/base/utf8.h"
#include "core/value/json.h"

namespace xplan::kit {
namespace {

std::string quoted(const std::vector<std::string>& texts) {
  return fmt::format("\"{}\"", fmt::join(texts, "\", \""));
}

// A validator of values for which `measure` gives a number, which is to be within limits.
template <class Measure>
Validator within(std::string_view what, std::optional<Number> min, std::optional<Number> max,
                 Measure measure) {
  const std::string limits = min && max ? fmt::format("between {} and {}", min->text(), max->text())
                             : min      ? "at least " + min->text()
                                        : "at most " + max->text();
  return {fmt::format("The {} must be {}.", what, limits),
          [=, what = std::string(what)](const ValidateRequest& r, ProviderDiags& diags) {
            const std::optional<Number> n = measure(r.value);
            if (n && ((min && *n < *min) || (max && *n > *max)))
              invalid_value(diags, r,
                            fmt::format("The {} must be {}, but it is {}.", what, limits, n->text()));
          }};
}
std::optional<Number> length_in_bytes(const Value& v) {
  if (v.is_string()) return Number(v.as_string().size());
  return v.kind() >= Kind::Seq && v.kind() <= Kind::Obj ? std::optional(Number(v.length())) : std::nullopt;
}
std::optional<Number> characters(const Value& v) {
  if (!v.is_string()) return std::nullopt;
  size_t n = 0;
  for (size_t i = 0; i < v.as_string().size(); ++n) utf8_decode(v.as_string(), i);
  return Number(n);
}
std::optional<Number> amount(const Value& v) {
  return v.is_number() ? std::optional(v.as_number()) : std::nullopt;
}
std::optional<Number> limit_of(size_t n) {
  return Number(n);
}

Validator of_texts(std::vector<std::string> texts, bool wanted) {
  std::string list = quoted(texts);
  return {fmt::format("The value must {}be one of {}.", wanted ? "" : "not ", list),
          [=](const ValidateRequest& r, ProviderDiags& diags) {
            if (!r.value.is_string()) return;
            const bool found = std::find(texts.begin(), texts.end(), r.value.as_string()) != texts.end();
            if (found != wanted)
              invalid_value(diags, r,
                            fmt::format("The value must {}be one of {}, but it is \"{}\".",
                                        wanted ? "" : "not ", list, r.value.as_string()));
          }};
}

bool judged(const Value& v) {
  return !v.is_null() && v.is_known();
}

}  // namespace

void invalid_value(ProviderDiags& diags, const ValidateRequest& r, std::string detail) {
  diags.push_back({Severity::Error, "Invalid attribute value", std::move(detail), r.path});
}

Validator matches(std::string_view pattern, std::string what) {
  auto re = std::make_shared<RE2>(re2::StringPiece(pattern.data(), pattern.size()), RE2::Quiet);
  if (!re->ok()) throw std::logic_error(fmt::format("matches(\"{}\"): {}", pattern, re->error()));
  return {fmt::format("The value must be {}.", what), [=](const ValidateRequest& r, ProviderDiags& diags) {
            if (!r.value.is_string()) return;
            const std::string_view s = r.value.as_string();
            if (!RE2::PartialMatch(re2::StringPiece(s.data(), s.size()), *re))
              invalid_value(diags, r, fmt::format("The value must be {}, but it is \"{}\".", what, s));
          }};
}
Validator one_of(std::vector<std::string> texts) {
  return of_texts(std::move(texts), true);
}
Validator none_of(std::vector<std::string> texts) {
  return of_texts(std::move(texts), false);
}
Validator valid_duration() {
  return {"The value must be a duration, as 30s or 1h30m.",
          [](const ValidateRequest& r, ProviderDiags& diags) {
            int64_t ms = 0;
            if (r.value.is_string() && !parse_duration_ms(std::string(r.value.as_string()), ms))
              invalid_value(diags, r,
                            fmt::format("\"{}\" is not a valid duration. Write 30s or 1h30m, for example.",
                                        r.value.as_string()));
          }};
}
Validator valid_json() {
  return {"The value must be JSON.", [](const ValidateRequest& r, ProviderDiags& diags) {
            if (!r.value.is_string()) return;
            if (Result<Value> v = parse_json(r.value.as_string()); !v)
              invalid_value(diags, r, "The value is not valid JSON: " + v.error().message + ".");
          }};
}

Validator length_between(size_t min, size_t max) {
  return within("length", limit_of(min), limit_of(max), length_in_bytes);
}
Validator length_at_least(size_t min) {
  return within("length", limit_of(min), {}, length_in_bytes);
}
Validator length_at_most(size_t max) {
  return within("length", {}, limit_of(max), length_in_bytes);
}
Validator characters_between(size_t min, size_t max) {
  return within("number of characters", limit_of(min), limit_of(max), characters);
}
Validator number_between(int64_t min, int64_t max) {
  return within("value", Number(min), Number(max), amount);
}
Validator number_at_least(int64_t min) {
  return within("value", Number(min), {}, amount);
}
Validator number_at_most(int64_t max) {
  return within("value", {}, Number(max), amount);
}
Validator one_of_numbers(std::vector<int64_t> numbers) {
  std::string list = fmt::format("{}", fmt::join(numbers, ", "));
  return {
      fmt::format("The value must be one of {}.", list), [=](const ValidateRequest& r, ProviderDiags& diags) {
        if (!r.value.is_number()) return;
        const std::optional<int64_t> n = r.value.as_number().exact_int64();
        if (!n || std::find(numbers.begin(), numbers.end(), *n) == numbers.end())
          invalid_value(
              diags, r,
              fmt::format("The value must be one of {}, but it is {}.", list, r.value.as_number().text()));
      }};
}

Validator each(Validator v) {
  return {"Each element: " + v.description, [v](const ValidateRequest& r, ProviderDiags& diags) {
            if (r.value.kind() < Kind::Seq || r.value.kind() > Kind::Obj) return;
            for (size_t i = 0; i < r.value.length(); ++i) {
              const Value& e = r.value.elements()[i];
              if (!judged(e)) continue;
              Path path = r.path;
              path.push_back(PathStep::of_index(
                  r.value.kind() == Kind::Seq   ? Value::number(static_cast<int64_t>(i))
                  : r.value.kind() == Kind::Map ? r.value.map_key_value(i)
                  : r.value.kind() == Kind::Set ? e
                                                : Value::string(r.value.type().attr_names()[i].sv())));
              v.run({path, e, r.config, r.parent}, diags);
            }
          }};
}
Validator each_key(Validator v) {
  return {"Each key: " + v.description, [v](const ValidateRequest& r, ProviderDiags& diags) {
            if (r.value.kind() != Kind::Map) return;
            for (size_t i = 0; i < r.value.length(); ++i) {
              Path path = r.path;
              path.push_back(PathStep::of_index(r.value.map_key_value(i)));
              v.run({path, r.value.map_key_value(i), r.config, r.parent}, diags);
            }
          }};
}
Validator any_of(std::vector<Validator> all) {
  std::string description = "At least one of these must hold:";
  for (const Validator& v : all) description += " " + v.description;
  return {description, [=](const ValidateRequest& r, ProviderDiags& diags) {
            ProviderDiags found;
            for (const Validator& v : all) {
              ProviderDiags of_one;
              v.run(r, of_one);
              if (!has_errors(of_one)) return;
              found.insert(found.end(), of_one.begin(), of_one.end());
            }
            diags.insert(diags.end(), found.begin(), found.end());
          }};
}
Validator validator(std::string description,
                    std::function<void(const ValidateRequest&, ProviderDiags&)> run) {
  return {std::move(description), std::move(run)};
}

}  // namespace xplan::kit
