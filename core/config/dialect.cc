// The dialect of a process, and the message for what it does not have.
#include "core/config/dialect.h"

#include <atomic>
#include <string>

namespace xplan::config {
namespace {
std::atomic<Dialect> chosen{Dialect::Xplan};
}  // namespace

void use_dialect(Dialect d) {
  chosen = d;
}

Dialect dialect() {
  return chosen;
}

bool allows_addition(std::string_view what, Range where, Diagnostics& diags, std::string_view terraform) {
  if (has_additions()) return true;
  const std::string newer =
      terraform.empty() ? std::string() : " and of Terraform from version " + std::string(terraform) + " on";
  diags.error("Not part of this dialect",
              std::string(what) + " is an addition of OpenTofu" + newer +
                  ", but XPLAN_DIALECT, or the name of the program, asks for the language of Terraform" +
                  (terraform.empty() ? "" : " 1.11") + ". Remove it, or set XPLAN_DIALECT=opentofu.",
              where);
  return false;
}

}  // namespace xplan::config
