// The names by which backends find the clients that they share.
#include "core/backend/clients.h"

namespace xplan::backend {

std::string client_name(std::string_view kind, const Value& settings,
                        std::initializer_list<std::string_view> places) {
  Settings shared{std::string(kind), settings};
  for (const std::string_view name : places) (void)set(shared, name, Value::null(Type::string()));
  return shared.kind + " " + shared.json();
}

}  // namespace xplan::backend
