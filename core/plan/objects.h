// Objects of a state as values and back: upgrades, moves, marks; and reporting what providers said or got
// wrong about an object.
//
// Who calls it: planner and apply.  Cost: one JSON pass an object.  Thread-safety: pure except for provider
// calls.
#pragma once
#include <optional>
#include <string>

#include "core/plan/hooks.h"
#include "core/provider/provider.h"
#include "core/schema/schema.h"
#include "core/state/state.h"

namespace xplan {

// The object's value in the schema's current version, with schema marks and recorded marks; nothing after an
// error.
std::optional<Value> object_value(const Object& o, const AbsInstance& addr, const schema::Schema& schema,
                                  Provider& provider, Diagnostics& diags);
// Whether a newer provider wrote the object than the one with this schema: object_value() refuses it.
bool is_newer(const Object& o, const schema::Schema& schema);
// What the state has, read by the schema of now without asking a provider.
std::optional<Value> recorded_value(const Object& o, const AbsInstance& addr, const schema::Schema& schema,
                                    Diagnostics& diags);
// The object that the moved block at `where` gave another resource type, converted by the provider of that
// type. Null after an error.
ObjectPtr convert_moved(const ObjectPtr& o, const AbsInstance& addr, const schema::Schema& schema,
                        Provider& provider, const Range& where, Diagnostics& diags);
// A new object with this value (marks are recorded as sensitive paths).
ObjectPtr make_object(const Value& v, const schema::Schema& schema, std::string private_data,
                      Dependencies deps, RecordedLifecycle lifecycle,
                      ObjectStatus status = ObjectStatus::Ready, ObjectIdentityPtr identity = nullptr);
// What a provider of the legacy type system is forgiven goes into the log: whoever looks for the cause of a
// confusing error later finds it there. `what` is what it produced.
void log_tolerated(std::string_view what, const ProviderAddr& provider, const AbsInstance& addr,
                   const std::vector<std::pair<Path, std::string>>& violations);
// Turns a provider's diagnostics into the run's, placed in the configuration where possible.
void add_provider_diags(const ProviderDiags& from, const AbsInstance& addr, const config::Resource* where,
                        Diagnostics& diags);
// "Provider produced …" errors.
void add_violations(std::string_view summary, std::string_view phase, const ProviderAddr& provider,
                    const AbsInstance& addr, const std::vector<std::pair<Path, std::string>>& violations,
                    Diagnostics& diags);
// An error for each ephemeral value of a configuration that would be stored: only ephemeral resources and
// write-only attributes may have one. False when there was any.
bool check_ephemeral(const Value& config, const config::Resource& r, const AbsInstance& addr,
                     Diagnostics& diags);
// Marks for a planned or new value: those of the configuration by path, plus the schema's.
Value apply_marks(const Value& v, const std::vector<PathMarks>& from_config, const schema::Block& schema);
// What an ephemeral resource opened: sensitive where its configuration is. As in the reference, the schema
// has no say in it: the value is ephemeral as a whole, and shown nowhere.
Value opened_value(const Value& result, const std::vector<PathMarks>& from_config);
bool same_marks(const Value& a, const Value& b);

}  // namespace xplan
