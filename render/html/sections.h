// The parts of a page that need no script: what it is about, the summary, outputs, checks, and the first
// changes for those who have none.
//
// Who calls it: page.cc, for the places that page.html names.  Cost: linear; the summary is bounded for each
// risk.  Thread-safety: as CauseFinder.
#pragma once
#include <string>

#include "render/html/page.h"

namespace xplan::render::html {

std::string title(const PageInput& in, const HumanOptions& options);  // "Plan: 1 to add, …", not escaped
void put_facts(const PageInput& in, const HumanOptions& options, std::string& out);
void put_summary(const PageInput& in, const HumanOptions& options, std::string& out);
void put_outputs(const PageInput& in, const HumanOptions& options, std::string& out);
void put_checks(const PageInput& in, const HumanOptions& options, std::string& out);
void put_without_script(const PageInput& in, const HumanOptions& options, const Sink& sink);

}  // namespace xplan::render::html
