// Which references are to deprecated attributes, blocks and output values, and which calls set deprecated
// variables. References to blocks are told unless the language is Terraform's, which passes over them.
//
// Who calls it: cmd, once for a run that validates or plans; a plan that is applied later has had its
// warnings. Contract: one warning for every place, however often it is evaluated. A deprecated argument that
// is given a value is the business of its provider, which is asked to validate it and warns in its own words.
// Cost: linear in the references.  Thread-safety: reads only.
#pragma once
#include "core/config/config.h"

namespace xplan::config {

// Of which modules that are called it is told that their variables and outputs are deprecated (-deprecation);
// Local: of those in local directories. cmd sets it, before anything is read.
enum class Deprecations : uint8_t { All, Local, None };
void tell_deprecations_of(Deprecations modules);

void warn_of_deprecated(const Config& config, Diagnostics& diags);

}  // namespace xplan::config
