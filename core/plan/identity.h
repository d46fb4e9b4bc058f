// Identities of objects: what names an object outside of its attributes, as providers of newer protocols say.
//
// Who calls it: planner and apply, around provider calls; import blocks.
// Rules: an identity that an object has never changes, and it is wholly known once the object exists; a
// provider that breaks them gets an error. Types without an identity schema have none, and what the state
// recorded of them is kept as it is. Cost: identities are small; nothing for types without. Thread-safety:
// pure but for provider calls.
#pragma once
#include <optional>
#include <string>

#include "core/plan/hooks.h"
#include "core/plan/objects.h"

namespace xplan {

// The identity that the state has of an object, in the present version of its schema. Null: there is none.
// Nothing after an error.
std::optional<Value> identity_value(const Object& o, const AbsInstance& addr, Provider& provider,
                                    Diagnostics& diags);
// As it is recorded; null for a null.
ObjectIdentityPtr make_identity(const Value& identity, Symbol type, const Provider& provider);

// The object with this identity; the same object when it is recorded so.
ObjectPtr with_identity(const ObjectPtr& o, const Value& identity, Symbol type, const Provider& provider);

// What a provider answered instead of `before` (null: none yet, or a new object): false with an error when it
// is another or, unless the object is only planned, not wholly known. An answer of null keeps the one before.
bool settle_identity(Value& answer, const Value& before, bool planned, std::string_view phase,
                     const AbsInstance& addr, Diagnostics& diags);
// The argument "identity" of an import block as a value of the type's identity; nothing after an error.
std::optional<Value> import_identity(const Value& given, Symbol type, const Provider& provider, Range where,
                                     Diagnostics& diags);
// What an import asks for, for messages: the id "x", or the identity {account = "a", name = "n"}.
std::string import_text(const std::string& id, const Value& identity);
std::string identity_text(const Value& identity);
ObjectId import_target_id(const std::string& id, const Value& identity);  // the same, for progress

}  // namespace xplan
