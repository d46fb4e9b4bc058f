// documentation: Markdown pages about a provider, made of what is declared, in the layout that registries
// show.
//
// Who calls it: serve(), for `terraform-provider-NAME -docs DIR`; builds of providers. Contract:
// docs/index.md is the provider; docs/resources, docs/data-sources, docs/ephemeral-resources and
// docs/functions have a page for each, named without the provider's prefix. Every attribute at every depth is
// there, with what its default, its validators and replacing modifiers say. The same provider gives the same
// bytes. Cost: linear. Thread-safety: pure.
#pragma once
#include <map>
#include <string>

#include "core/base/result.h"
#include "core/provider/kit/provider.h"

namespace xplan::kit {

// By path below the folder that has docs/. `name` is the provider's: "notes".
std::map<std::string, std::string> documentation(const Provider& p, std::string_view name);
Result<void> write_documentation(const Provider& p, std::string_view name, const std::string& dir);

}  // namespace xplan::kit
