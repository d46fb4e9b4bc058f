// Which product's language is read. What OpenTofu adds to the language is understood unless it is Terraform's
// that is asked for; where the two mean different things by the same words, only OpenTofu's dialect takes its
// meaning.
//
// Who calls it: cmd sets it, once, before anything is read; config asks, and plan does where a meaning
// differs.  Cost: none.  Thread-safety: set before other threads start.
#pragma once
#include <cstdint>
#include <string_view>

#include "core/diag/diagnostic.h"

namespace xplan::config {

enum class Dialect : uint8_t { Xplan, Terraform, OpenTofu };
void use_dialect(Dialect d);
Dialect dialect();
inline bool has_additions() {
  return dialect() != Dialect::Terraform;
}
// Whether the name at the beginning of a reference is the product's, for example of terraform.workspace:
// OpenTofu has added "tofu", which means the same.
inline bool names_product(std::string_view root) {
  return root == "terraform" || (root == "tofu" && has_additions());
}
// True where the dialect has OpenTofu's additions; otherwise an error at `where` says that it does not have
// this one ("The argument \"enabled\""). `terraform`: the version from which on Terraform has it, too.
bool allows_addition(std::string_view what, Range where, Diagnostics& diags, std::string_view terraform = {});

}  // namespace xplan::config
