// The values of a change ↔ message: shared by resource instances (declared type: the schema's) and output
// values (declared type: dynamic).  Who calls it: convert.cc. Contract, cost and thread-safety: as convert.h.
#pragma once
#include "core/base/result.h"
#include "core/plan/plan.h"
#include "planfile.pb.h"

namespace xplan::planfile {

void encode_values(const Change& c, Type declared, proto::ValueChange& out);
Result<Change> decode_values(const proto::ValueChange& in, Type declared);

}  // namespace xplan::planfile
