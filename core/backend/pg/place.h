// The state of a workspace as a row of a table in PostgreSQL, and the segments of its journal as rows of
// another one.
//
// Who calls it: pg.cc; tests.  Contract: that of Place. The version is that of the row (xmin), so every other
// write counts. After the loss of the connection the lock is taken again before anything is written, and only
// if nobody wrote meanwhile. Reading and taking the lock end when the run is told to stop; writing and
// releasing do not, because they save what was done. Cost: one statement per call, and those of a new
// connection. Thread-safety: as Place, and other places of the database may be used beside it.
#pragma once
#include <memory>
#include <string>

#include "core/backend/pg/database.h"
#include "core/state/place.h"

namespace xplan::backend {

std::unique_ptr<Place> pg_place(std::shared_ptr<PgDatabase> database, const std::string& workspace);

}  // namespace xplan::backend
