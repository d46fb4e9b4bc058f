// Keeps secrets out of what providers and commands say: they are told sensitive values, and may repeat them.
//
// Who calls it: planning and applying, where the work on an instance ends; provisioners.
// Contract: no sensitive or ephemeral string of `told` remains in the text; those of fewer than four bytes
// only go where they stand alone. Cost: none where nothing was said; else as TextFinder.
// Thread-safety: pure functions.
#pragma once
#include <string>

#include "core/base/text_finder.h"
#include "core/diag/diagnostic.h"
#include "core/schema/schema.h"
#include "core/value/value.h"

namespace xplan {

// Those of one value, collected once for many texts.
class Secrets {
 public:
  explicit Secrets(const Value& told);
  std::string hide(std::string text) const;

 private:
  TextFinder texts_;
};
std::string without_secrets(const Value& told, std::string text);  // of one text
// The same for all diagnostics. What the schema calls sensitive is, too.
void hide_secrets(const Value& told, const schema::Block& schema, Diagnostics& diags);

}  // namespace xplan
