// The review half of a plan: everything a reviewer needs, and no secret.
//
// Who calls it: cmd (plan -review-out, show -review), before planfile writes what is left; for documents and
// summaries of a whole plan, cmd has the same values marked.
// Contract: each sensitive value is replaced by a token of the same type, with the same marks. Equal values
// have equal tokens within one plan, so what changed, and what is the same as what, can still be seen; the
// salt of the tokens is random and goes with the Redactor, so nobody can try values out, and tokens of two
// plans say nothing of each other. Where the text of a sensitive value is found in another text, which lost
// the mark on its way through a provider, the token stands for it there, too: also in keys of instances and
// of maps, and for numbers of four digits and more. Nulls and unknowns stay. What
// only an apply needs is left out: private data of providers, values of variables, settings of the backend,
// the state before the plan was made. What neither a schema nor a mark calls sensitive is not a secret.
// Cost: linear in the values that have marks, a digest for each sensitive one.  Thread-safety: one thread.
#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "core/config/config.h"
#include "core/plan/plan.h"
#include "core/review/secret_texts.h"

namespace xplan::review {

class Redactor {
 public:
  Redactor();  // with a random salt
  explicit Redactor(std::string salt) : salt_(std::move(salt)) {}
  Plan plan(const Plan& p, const config::Config& config, const schema::Lookup& schemas);
  Value value(const Value& v, Type declared);
  // The plan as it is, for those who are shown parts of it: what plan() would not leave in values is marked
  // as sensitive, and gone from messages. Addresses stay.
  Plan marked(const Plan& p, const config::Config& config, const schema::Lookup& schemas);
  // The texts of what was replaced.
  const SecretTexts& secrets() const { return secrets_; }

 private:
  void remember(const Value& v);  // the texts in a value that is a secret
  void remember_variables(const Plan& p, const config::Config& config);
  Value token(const Value& v, Type declared);
  // With tokens for secrets within texts.
  Value hidden(const Value& v, Type declared) const;
  Type hidden(Type t) const;
  Value hidden_elements(const Value& v, Type declared) const;
  std::string hidden(std::string_view text) const;
  std::string masked(std::string_view text) const;
  std::string without_secrets(std::string_view text,
                              const std::function<std::string(std::string_view)>& stand_in) const;
  Value marked(const Value& v, Type declared) const;
  void mark(Change& c, Type declared) const;
  std::string hidden_keys(std::string_view address) const;
  AbsInstance hidden(const AbsInstance& a) const;
  ModuleInstance hidden(ModuleInstance m) const;
  std::string seed_of(const Value& plain, Type written) const;
  void hide(Plan& p) const;
  void hide(ResourceChange& c) const;
  void hide(std::vector<CheckResult>& checks) const;
  void hide(Change& c, Type declared) const;
  void hide(State& s, const schema::Lookup& schemas) const;
  static Value token_of_type(Type t, std::string_view seed);
  void change(Change& c, const schema::Schema* schema);
  void changes(std::vector<ResourceChange>& all);
  State state(const State& s, const schema::Lookup& schemas);
  ObjectPtr object(const Object& o, const AbsInstance& addr, const schema::Schema* schema);

  std::string salt_;
  SecretTexts secrets_;
  std::unordered_set<std::string> numbers_;  // likewise, of those with several digits
};

}  // namespace xplan::review
