// The two provider calls of every import (ImportResourceState, then ReadResource) and the checks of what
// comes back.
#include "core/plan/importer.h"

#include <fmt/format.h>

namespace xplan {
namespace {

std::string counted(size_t objects) {
  return objects == 0 ? "no object" : fmt::format("{} {}", objects, objects == 1 ? "object" : "objects");
}

}  // namespace

bool Importer::report(const ProviderDiags& said_now) {
  const size_t before = diags_.error_count(), size = diags_.size();
  said.insert(said.end(), said_now.begin(), said_now.end());
  add_provider_diags(said_now, q_.addr, q_.resource, diags_);
  if (q_.block && diags_.size() > size)
    for (size_t i = size; i < diags_.size(); ++i)
      if (Diagnostic& d = diags_.mutable_all()[i]; !d.subject.valid()) d.subject = q_.block->range;
  return diags_.error_count() == before;
}

bool Importer::conforms(const Violations& found, std::string_view when) {
  if (found.empty()) return true;
  add_violations("Provider produced invalid object", when, q_.provider_addr, q_.addr, found, diags_);
  return false;
}

bool Importer::ask() {
  const Symbol type = q_.addr.resource.type;
  ImportRequest request{type, q_.id, {}};
  if (!q_.identity.is_null()) {
    std::optional<Value> identity =
        import_identity(q_.identity, type, q_.provider, q_.block->identity->range, diags_);
    if (!identity) return false;
    request.identity = std::move(*identity);
  }
  ImportResponse response = q_.provider.import(request);
  deferred = response.deferred;
  if (!report(response.diags) || deferred != Deferral::None) return false;
  if (response.objects.size() != 1 || !(response.objects[0].type == type) ||
      response.objects[0].state.is_null()) {
    diags_.error(
        "Import returned no usable object",
        fmt::format("For the {}, the provider returned {}; exactly one object of type {} was expected.",
                    import_text(q_.id, q_.identity), counted(response.objects.size()), type.sv()),
        q_.block      ? q_.block->range
        : q_.resource ? q_.resource->range
                      : Range());
    return false;
  }
  object = std::move(response.objects[0]);
  return conforms(check_conforms(q_.schema.block, object.state), "when it imported") &&
         settle_identity(object.identity, Value(), false, "when it imported the object", q_.addr, diags_);
}

bool Importer::read() {
  ReadResponse now =
      q_.provider.read({object.type, object.state, object.private_data, q_.provider_meta, object.identity});
  if (!report(now.diags)) return false;
  if (now.new_state.is_null()) {
    diags_.error("Cannot import non-existent remote object", no_object_text(q_.addr, q_.id, q_.identity),
                 q_.block ? q_.block->range : Range());
    return false;
  }
  Violations wrong = check_conforms(q_.schema.block, now.new_state);
  for (Path& p : unknown_paths(now.new_state)) wrong.emplace_back(std::move(p), "the value is unknown");
  if (!conforms(std::move(wrong), "when it read") ||
      !settle_identity(now.new_identity, object.identity, false, "when it read the object", q_.addr, diags_))
    return false;
  object.state = std::move(now.new_state);
  object.private_data = std::move(now.private_data);
  object.identity = std::move(now.new_identity);
  return true;
}

std::string no_object_text(const AbsInstance& addr, const std::string& id, const Value& identity) {
  return fmt::format(
      "The provider found no object with the {} for {}. Check that it is correct; only existing objects can "
      "be imported.",
      import_text(id, identity), addr.text());
}

}  // namespace xplan
