// Finding a kind of backend by its name, and saying why there is none.
#include <fmt/format.h>

#include <algorithm>

#include "core/backend/backend.h"
#include "core/diag/diagnostic.h"

namespace xplan::backend {

const Kind* find_kind(std::string_view name) {
  auto k = std::find_if(std::begin(kKinds), std::end(kKinds), [&](const Kind* k) { return k->name == name; });
  return k == std::end(kKinds) ? nullptr : *k;
}

const Kind* find_type(std::string_view name) {
  const Kind* k = find_kind(name);
  return k && k->has_type ? k : nullptr;
}

Error unsupported(std::string_view name) {
  if (name == kCloud.name)
    return Error{
        "There is no backend \"cloud\". HCP Terraform has a block of its own: write cloud { … } in the "
        "terraform block"};
  if (name == "oci")
    return Error{
        "There is no backend \"oci\" here. Oracle's object storage has an S3 compatibility API, so the "
        "backend "
        "\"s3\" keeps states in the same buckets: give it that API's endpoint and a customer secret key"};
  std::string ours;
  std::vector<std::string_view> names;
  for (const Kind* k : kKinds) {
    if (!k->has_type) continue;
    names.push_back(k->name);
    ours += (ours.empty() ? "" : ", ") + fmt::format("\"{}\"", k->name);
  }
  const std::string_view near = did_you_mean(name, names);
  return Error{fmt::format("There is no backend \"{}\". The supported backends are {}{}", name, ours,
                           near.empty() ? "" : fmt::format(". Did you mean \"{}\"?", near))};
}

Result<std::unique_ptr<Backend>> open(const Settings& settings, const Opening& opening) {
  const Kind* k = find_kind(settings.kind);
  return k ? k->open(settings.values, opening) : unsupported(settings.kind);
}

}  // namespace xplan::backend
