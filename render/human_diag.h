// Diagnostics as text for people: a box with summary, place, source line, values and detail.
//
// Who calls it: cmd, once per command, with everything that was found.
// Contract: warnings first, then errors, each by place in the configuration; equal ones appear once; many
// warnings of one summary become one with a list of places. Errors go to `err`, warnings to `out`, each as
// soon as it is made. Cost: linear in the diagnostics; a file whose blocks are named is scanned once per call
// of render_diagnostics(). Thread-safety: pure functions.
#pragma once
#include <string>
#include <vector>

#include "core/diag/diagnostic.h"
#include "core/diag/source.h"
#include "render/text.h"

namespace xplan::render {

// Sorted, without repetition.
std::vector<const Diagnostic*> sorted_diagnostics(const Diagnostics& diags);
// All of them. `sources` may be null: then no source lines.
void render_diagnostics(const Diagnostics& diags, const SourceTable* sources, const HumanOptions& options,
                        const Sink& out, const Sink& err);
// One, in box form.
void render_diagnostic(const Diagnostic& d, const SourceTable* sources, const HumanOptions& options,
                       std::string& out);

// The header of the block that encloses a place, as messages name it: resource "aws_instance" "web". Empty
// when there is none. Understands both syntaxes.
std::string block_around(const SourceTable& sources, Range place);

}  // namespace xplan::render
