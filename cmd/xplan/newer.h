// Commands and options that later versions of Terraform have.
//
// Who calls it: whoever has met a command (help.cc) or an option (cli.cc) that does not exist here. Contract:
// as core/config/newer_blocks.h: the answer says what it would do, since when, and that it is missing here,
// so that nobody looks for a misspelling. To add one: a row in newer.cc. Cost: a short scan.  Thread-safety:
// constants.
#pragma once
#include <string>
#include <string_view>

namespace xplan::cmd {

// "query", "-invoke"; the answer is a sentence, or empty for what no version has.
std::string newer_feature(std::string_view name);

}  // namespace xplan::cmd
