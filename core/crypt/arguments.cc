// Evaluates the arguments of key providers and methods, and says what is wrong with them without their
// values.
#include "core/crypt/arguments.h"

#include <fmt/format.h>

namespace xplan::crypt {
namespace {

Type type_of(ArgumentType t) {
  switch (t) {
    case ArgumentType::Number:
      return Type::number();
    case ArgumentType::Bool:
      return Type::boolean();
    case ArgumentType::Strings:
      return Type::list(Type::string());
    case ArgumentType::Numbers:
      return Type::list(Type::number());
    case ArgumentType::StringMap:
      return Type::map(Type::string());
    case ArgumentType::Object:
      return Type::dynamic();
    case ArgumentType::String:
    case ArgumentType::Keys:
      break;
  }
  return Type::string();
}

}  // namespace

void Arguments::read(const syntax::Content& content, ArgumentTable table, const eval::Scope& scope,
                     std::string_view block) {
  for (const ArgumentRow& row : table) {
    const std::string name = block.empty() ? std::string(row.name) : fmt::format("{}.{}", block, row.name);
    const syntax::Attribute* a = content.find(row.name);
    if (a && !row.secret) places_[name] = a->name_range;
    if (row.type == ArgumentType::Keys || !a) {
      if (!a && row.required && validating_) {
        incomplete(
            fmt::format("The argument \"{}\" is required in {}, but it is not set.", row.name, subject_));
        complete_ = false;
      } else if (!a && row.required)
        problems_.error(
            "Missing required argument",
            fmt::format("The argument \"{}\" is required in {}, but it is not set.", row.name, subject_),
            header_);
      continue;
    }
    const size_t errors = problems_.error_count();
    const Value v = eval::evaluate_as(*a->expr, type_of(row.type), scope, problems_).unmark_deep();
    if (problems_.error_count() != errors) continue;
    if (!v.is_wholly_known() && validating_) {
      complete_ = false;
      if (row.secret && row.type == ArgumentType::String) {
        values_.emplace(name, Value::string(std::string(64, 'x')));
        stand_ins_.insert(name);
      }
    } else if (!v.is_wholly_known())
      wrong(name, "must be known before the state is read, but its value is not known yet.");
    else if (v.is_null() && row.required)
      wrong(name, "must not be null.");
    else if (!v.is_null())
      values_.emplace(name, v);
  }
}

const Value* Arguments::value(std::string_view name) const {
  const auto it = values_.find(std::string(name));
  return it == values_.end() ? nullptr : &it->second;
}

std::string Arguments::text(std::string_view name) const {
  const Value* v = value(name);
  return v ? std::string(v->as_string()) : std::string();
}

int64_t Arguments::number(std::string_view name, int64_t otherwise) const {
  const Value* v = value(name);
  if (!v) return otherwise;
  const std::optional<int64_t> n = v->as_number().exact_int64();
  if (!n) wrong(name, "must be a whole number.");
  return n.value_or(otherwise);
}

std::vector<std::string> Arguments::list(std::string_view name) const {
  std::vector<std::string> out;
  if (const Value* v = value(name))
    for (const Value& e : v->elements())
      if (!e.is_null()) out.emplace_back(e.as_string());
  return out;
}

std::nullptr_t Arguments::wrong(std::string_view name, std::string_view what) const {
  if (validating_ && (!is_set(name) || stand_ins_.contains(std::string(name)))) return nullptr;
  const auto at = places_.find(std::string(name));
  problems_.error(kInvalidEncryption, fmt::format("The argument \"{}\" of {} {}", name, subject_, what),
                  at == places_.end() ? header_ : at->second, at == places_.end() ? Range() : header_);
  return nullptr;
}

// What TF_ENCRYPTION adds elsewhere is not known where nothing but the configuration is checked.
void Arguments::incomplete(std::string sentence) const {
  problems_.warn("Incomplete encryption configuration",
                 std::move(sentence) +
                     " Set it here, or in the environment variable TF_ENCRYPTION wherever "
                     "this configuration is used.",
                 header_);
}

std::nullptr_t Arguments::missing(std::string_view name, std::string_view what) const {
  if (!validating_) return wrong(name, what);
  if (complete_) incomplete(fmt::format("The argument \"{}\" of {} {}", name, subject_, what));
  return nullptr;
}

std::nullptr_t Arguments::wrong(std::string sentence) const {
  if (!complete_) return nullptr;
  problems_.error(kInvalidEncryption, std::move(sentence), header_);
  return nullptr;
}

}  // namespace xplan::crypt
