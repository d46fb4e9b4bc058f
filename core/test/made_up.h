// Values that nobody computed: of mocked and overridden objects.
//
// Who calls it: mock_provider.cc.
// Rules: what a provider would compute and the configuration does not set is taken from what the test gives,
// as far as it gives something for it, and made up otherwise: strings of 8 letters and digits, 0, false,
// empty collections, objects of such values. Of nested attributes and blocks, all elements get the same given
// values. Cost: linear in the object.  Thread-safety: pure, but for the random numbers, which are locked.
#pragma once
#include <optional>
#include <string>

#include "core/schema/schema.h"
#include "core/value/path.h"

namespace xplan::test {

// Which values are to be made: those that are not set (null), or those that were left unknown.
enum class Missing : uint8_t { Null, Unknown };
// What stands there afterwards.
enum class Becomes : uint8_t { Known, Unknown };

struct MisfitValue {  // a given value does not have the type of its attribute
  Path path;
  std::string why;
};

// `object`: of the block's type; `given`: an object or a map, null: nothing is given.
Value make_up(const schema::Block& block, const Value& object, const Value* given, Missing which,
              Becomes becomes, std::optional<MisfitValue>& misfit);

}  // namespace xplan::test
