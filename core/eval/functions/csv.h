// Comma-separated values (RFC 4180) as a list of objects.
//
// Who calls it: encoding.cc (csvdecode).
// Contract: the first record names the attributes. Blank lines are skipped; CR LF counts as LF, inside quotes
// too; a quote inside an unquoted field, text after a closing quote and a record of another length are errors
// that name the line.  Cost: linear.  Thread-safety: pure function.
#pragma once
#include <string>
#include <string_view>

#include "core/value/value.h"

namespace xplan::eval {

Value decode_csv(std::string_view text, std::string& error);

}  // namespace xplan::eval
