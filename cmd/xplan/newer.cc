// The table of commands and options of later versions, and their sentence.
#include "cmd/xplan/newer.h"

#include <fmt/format.h>

namespace xplan::cmd {
namespace {

struct NewerFeature {
  std::string_view name, what, since;
};
constexpr NewerFeature kNewerFeatures[] = {
    {"query", "The command \"query\" searches for objects, as files with the ending .tfquery.hcl say",
     "1.14"},
    {"-query", "The option -query validates files with the ending .tfquery.hcl", "1.14"},
    {"-invoke", "The option -invoke runs an action of a provider", "1.14"},
};

}  // namespace

std::string newer_feature(std::string_view name) {
  for (const NewerFeature& f : kNewerFeatures)
    if (f.name == name)
      return fmt::format("{}, which xplan does not support. Terraform has it from version {} on.", f.what,
                         f.since);
  return "";
}

}  // namespace xplan::cmd
