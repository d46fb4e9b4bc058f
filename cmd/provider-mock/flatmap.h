// Objects in the flat form of Terraform before 0.12: "tags.%" = "1", "rule.0.name" = "a".
//
// Who calls it: mock_provider.cc, to upgrade such objects. Contract: a list has its length at "NAME.#" and
// its elements at "NAME.0" and so on; a set the same with arbitrary numbers; a map its length at "NAME.%" and
// its elements at "NAME.KEY"; what is absent or cannot be read is null. Cost: a look-up per leaf, a scan per
// set and map. Thread-safety: pure.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "core/value/value.h"

namespace xplan::mock {

Value from_flatmap(const std::vector<std::pair<std::string, std::string>>& flat, Type object);

}  // namespace xplan::mock
