// Arguments: what the block of a key provider or method sets, evaluated by the table of its kind.
//
// Who calls it: the kinds.  Contract: everything in an encryption block is treated as sensitive: messages
// name arguments, never values. The block's problems are collected in `problems`.  Cost: linear in the
// arguments.  Thread-safety: one thread.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/secret.h"
#include "core/diag/diagnostic.h"
#include "core/eval/eval.h"
#include "core/syntax/body.h"

namespace xplan::crypt {

enum class ArgumentType : unsigned char { String, Number, Bool, Strings, Numbers, StringMap, Object, Keys };
struct ArgumentRow {
  std::string_view name;
  ArgumentType type = ArgumentType::String;
  bool required = false;
  bool secret = false;  // messages quote the line of the block's header, not that of the argument
};
using ArgumentTable = std::span<const ArgumentRow>;

class Arguments {
 public:
  // `validating`: what is missing or unknown is no problem, but then nothing that is made of them is of use.
  Arguments(std::string subject, Range header, Diagnostics& problems, bool validating = false)
      : subject_(std::move(subject)), header_(header), problems_(problems), validating_(validating) {}
  // Evaluates what the content sets. Keys are left to the caller. `block`: the arguments are those of this
  // nested block, and are asked for as BLOCK.NAME.
  void read(const syntax::Content& content, ArgumentTable table, const eval::Scope& scope,
            std::string_view block = {});

  // One that no block sets.
  void give(std::string_view name, Value value) { values_[std::string(name)] = std::move(value); }

  bool complete() const { return complete_; }
  bool is_set(std::string_view name) const { return values_.count(std::string(name)) > 0; }
  std::string text(std::string_view name) const;  // "" where it is not set
  Secret secret(std::string_view name) const { return Secret(text(name)); }
  int64_t number(std::string_view name, int64_t otherwise) const;
  std::vector<std::string> list(std::string_view name) const;
  const Value* value(std::string_view name) const;  // null: not set

  // Reports what is wrong with an argument; `what` goes on from its name: "must be …". Null, for returning.
  std::nullptr_t wrong(std::string_view name, std::string_view what) const;
  // The same of one that is not set, as something else is not: while validating it may still be added.
  std::nullptr_t missing(std::string_view name, std::string_view what) const;
  // Reports what is wrong with the block as a whole, in a sentence.
  std::nullptr_t wrong(std::string sentence) const;

 private:
  void incomplete(std::string sentence) const;

  const std::string subject_;  // as messages name it: key_provider.pbkdf2.k
  const Range header_;
  Diagnostics& problems_;
  const bool validating_;
  bool complete_ = true;
  std::map<std::string, Value> values_;
  std::map<std::string, Range> places_;
  std::set<std::string> stand_ins_;  // for secrets that are unknown
};

inline constexpr std::string_view kInvalidEncryption = "Invalid encryption configuration";

}  // namespace xplan::crypt
