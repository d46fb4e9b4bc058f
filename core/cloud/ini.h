// The INI files that cloud tools keep profiles in: sections of NAME = VALUE lines.
//
// Who calls it: aws_profile.cc.
// Contract: the dialect of ~/.aws/config. Lines that begin with "#" or ";" are comments, as is what follows a
// space and one of these; names of arguments are in lower case; what is indented below an argument without a
// value belongs to it as "NAME.SUBNAME". What is none of that is ignored, since other tools read such files
// leniently too; of what occurs twice the last counts.  Cost: linear.  Thread-safety: pure.
#pragma once
#include <map>
#include <string>
#include <string_view>

namespace xplan::cloud {

using IniSection = std::map<std::string, std::string, std::less<>>;
using Ini = std::map<std::string, IniSection, std::less<>>;  // by the text between the brackets, trimmed

Ini parse_ini(std::string_view text);

}  // namespace xplan::cloud
