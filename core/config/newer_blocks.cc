// The table of blocks of later versions, and their sentences.
#include "core/config/newer_blocks.h"

#include <fmt/format.h>

#include <deque>

namespace xplan::config {
namespace {

struct NewerBlock {
  BlockPlace place;
  std::string_view type, what, since;
};
constexpr NewerBlock kNewerBlocks[] = {
    {BlockPlace::File, "action", "declares an action of a provider", "from version 1.14 on"},
    {BlockPlace::File, "list", "searches for objects, in files with the ending .tfquery.hcl",
     "from version 1.14 on"},
    {BlockPlace::Lifecycle, "action_trigger", "runs actions before or after a change of the resource",
     "from version 1.14 on"},
    {BlockPlace::TerraformData, "store", "holds ephemeral and sensitive values from plan to apply",
     "from version 1.16 on"},
    {BlockPlace::Terraform, "state_store", "has a provider keep the state",
     "in experimental builds. Use a backend block instead"},
};

}  // namespace

std::span<const syntax::RefusedBlock> newer_blocks(BlockPlace place) {
  struct Table {
    std::deque<std::string> sentences;
    std::vector<syntax::RefusedBlock> of[4];
  };
  static const Table* table = [] {
    auto* t = new Table;
    for (const NewerBlock& b : kNewerBlocks) {
      t->sentences.push_back(
          fmt::format("A block of type \"{}\" {}, which xplan does not support. Terraform has it {}.", b.type,
                      b.what, b.since));
      t->of[static_cast<size_t>(b.place)].push_back({b.type, t->sentences.back()});
    }
    return t;
  }();
  return table->of[static_cast<size_t>(place)];
}

}  // namespace xplan::config
