// Puts the functions of all files into the table of the language. Add a new file's register function here.
#include "core/eval/function.h"

namespace xplan::eval {

void register_core_functions(FunctionTable& table) {
  register_numeric(table);
  register_strings(table);
  register_format(table);
  register_collections(table);
  register_sets(table);
  register_conversion(table);
  register_encoding(table);
  register_yaml(table);
  register_crypto(table);
  register_datetime(table);
  register_network(table);
  register_files(table);
  register_regex(table);
  register_assumptions(table);
}

}  // namespace xplan::eval
