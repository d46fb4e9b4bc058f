// Schemas of providers ↔ schema::ProviderSchema.
//
// Who calls it: the plugin client reads them (and checks them: what the engine relies on holds afterwards,
// and every problem is reported), the provider kit's server writes them; .cc files only. Contract: get_schema
// leaves `out` frozen and usable when no error was added. put_schema wants a frozen schema; what protocol 5
// cannot express (nested attributes) is an error of the result.  Cost: linear.  Thread-safety: pure.
#pragma once
#include "core/base/result.h"
#include "core/provider/provider.h"
#include "core/provider/wire/capabilities.h"
#include "core/provider/wire/messages.h"

namespace xplan::wire {

template <class P>  // P5 or P6
void get_schema(const typename P::SchemaResponse& in, schema::ProviderSchema& out, Capabilities& capabilities,
                ProviderDiags& diags);
// After get_schema: adds what GetResourceIdentitySchemas answers and freezes again.
template <class P>
void get_identities(const typename P::IdentityResponse& in, schema::ProviderSchema& out,
                    ProviderDiags& diags);

template <class P>
Result<void> put_schema(const schema::ProviderSchema& in, const Capabilities& capabilities,
                        typename P::SchemaResponse* out);
template <class P>
void put_identities(const schema::ProviderSchema& in, typename P::IdentityResponse* out);
template <class P>  // also for the answer of GetFunctions
void put_function(const schema::FunctionSignature& in, typename P::Function* out);

}  // namespace xplan::wire
