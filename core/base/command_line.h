// Commands that people are told to run: under which name, and how a shell reads their words.
//
// Who calls it: whoever advises to run a command of this program; cmd/xplan, which names it, once, first of
// all. Cost: the text.  Thread-safety: any thread, once the program has its name.
#pragma once
#include <string>
#include <string_view>

namespace xplan {

std::string_view program_name();  // "xplan", unless it is called otherwise
void set_program_name(std::string name);
std::string own_command(std::string_view words);  // "init": "\"xplan init\"", quotation marks and all
std::string shell_word(std::string_view text);    // in single quotes where a shell would read it otherwise

}  // namespace xplan
