// The functions of libpq, loaded when the first of them is needed.
//
// Who calls it: session.cc, address.cc.
// Contract: ask pq_missing() before the first call; the pointers are null when something is missing. Cost:
// loading on first use only.  Thread-safety: any thread.
#pragma once
#include <postgresql/libpq-fe.h>

#include <string>

#include "core/base/library.h"

namespace xplan::backend {

#define XPLAN_PQ_FUNCTIONS(X) \
  X(PQconninfoParse)          \
  X(PQconninfoFree)           \
  X(PQconndefaults)           \
  X(PQconnectStartParams)     \
  X(PQconnectPoll)            \
  X(PQstatus)                 \
  X(PQsocket)                 \
  X(PQerrorMessage)           \
  X(PQfinish)                 \
  X(PQsetNoticeProcessor)     \
  X(PQsetnonblocking)         \
  X(PQsendQueryParams)        \
  X(PQsetSingleRowMode)       \
  X(PQflush)                  \
  X(PQconsumeInput)           \
  X(PQisBusy)                 \
  X(PQgetResult)              \
  X(PQresultStatus)           \
  X(PQresultErrorField)       \
  X(PQntuples) X(PQnfields) X(PQgetvalue) X(PQgetlength) X(PQgetisnull) X(PQclear) X(PQfreemem)

XPLAN_LIBRARY_STRUCT(Pq, "libpq.so.5", XPLAN_PQ_FUNCTIONS, )
const Pq& pq();
// What is not there; empty when all is well.
inline const std::string& pq_missing() {
  return pq().library.missing();
}

}  // namespace xplan::backend
