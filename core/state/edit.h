// Edits of a state that users ask for: move, remove, taint, untaint, list, replace a provider.
//
// Who calls it: the state commands, taint and untaint. For a dry run they give a copy, which is cheap.
// Contract: an edit with an error changes nothing. Objects keep their attributes as they are.
// Cost: one pass over the state.  Thread-safety: pure functions on the state given.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "core/addr/addr.h"
#include "core/diag/diagnostic.h"
#include "core/state/state.h"

namespace xplan {

struct MovedObject {
  std::string from, to;  // addresses, as they are shown
};

// Moves what `from` names in `source` to `to` in `target` (which may be the same state). A resource without
// key whose only object has no key is an instance and may get a key; with several instances it moves as a
// whole. A module moves with everything below it; it is the one instance that its address says, keys
// included. Objects that depended on what has moved lose their recorded dependencies, unless that was
// a module instance with a key on its path.
std::vector<MovedObject> move_objects(State& source, State& target, const Target& from, const Target& to,
                                      Diagnostics& diags);

// Where that puts an instance that it moves.
AbsInstance moved_address(const AbsInstance& a, const Target& from, const Target& to);

// Removes every instance that one of the targets covers; the result is in the order of the targets, and an
// instance that is covered twice is there twice. Nothing found at all is an error.
std::vector<AbsInstance> remove_objects(State& s, const std::vector<Target>& targets, Diagnostics& diags);

// The instances covered by the targets, target by target; all when there is none. A target that covers
// nothing is an error, and then nothing is listed. With `id`, only those whose attribute "id" is that.
struct ListedInstance {
  AbsInstance addr;
  const InstanceState* instance;
};
std::vector<ListedInstance> list_instances(const State& s, const std::vector<Target>& targets,
                                           std::string_view id, Diagnostics& diags);

// Ends the message that nothing is at an address: the instances that the resource has there, the nearest
// address, or how to see all of them. Sorts the addresses of the state.
std::string what_there_is(const State& s, const std::string& address);

// Marks the current object for replacement, and takes that back. `allow_missing`: an absent one is only a
// warning. True when something was done.
bool taint_instance(State& s, const AbsInstance& a, bool allow_missing, Diagnostics& diags);
bool untaint_instance(State& s, const AbsInstance& a, bool allow_missing, Diagnostics& diags);

// Puts `to` in the place of the provider `from` in every resource; the resources that it changed, sorted.
std::vector<AbsResource> replace_provider(State& s, const ProviderAddr& from, const ProviderAddr& to);

// The attribute "id" of an object when it is a string, else empty.
std::string object_id(const Object& o);

}  // namespace xplan
