// Quoted text: a string between double quotes, everything invisible in it escaped.
//
// Who calls it: addresses, the console, renderers, the writers of configuration text, messages.
// Two notations. Config is what the configuration language reads back: \n \r \t \" \\ \uXXXX \UXXXXXXXX, and
// the start of a template sequence doubled. Debug is for showing: \a \b \f \v too, control characters and
// ill-formed bytes as \xXX, templates left alone. Cost: linear.  Thread-safety: pure functions.
#pragma once
#include <string>
#include <string_view>

namespace xplan {

enum class Quoting : unsigned char { Config, Debug };

void append_quoted(std::string& out, std::string_view s, Quoting how);
// Letters, marks, numbers, punctuation and symbols; of all spaces only U+0020.
bool is_printable(char32_t c);

}  // namespace xplan
