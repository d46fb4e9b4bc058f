// Jobs that run concurrently and speak in turn.
//
// Who calls it: the installation of providers and of modules, whose time is mostly spent on waiting for
// servers. Contract: work(job, tell) is called once for each job below n, for at most kMaxJobs of them at
// once, and has returned for all of them when run_jobs() does. What a job hands to tell() is done as if the
// jobs ran one after the other: one at a time, those of a job only when all earlier jobs have ended; so what
// is printed, reported and recorded there has one order whatever ends first, and needs no lock. What the
// first job says is done immediately. An exception of a job, or of what it told, is thrown by run_jobs() when
// all have ended, that of the first job where there are several; the others are heard all the same. Cost: a
// thread for each of the jobs under way.  Thread-safety: tell() is for the threads of its job.
#pragma once
#include <cstddef>
#include <functional>

namespace xplan::install {

inline constexpr size_t kMaxJobs = 8;

using Tell = std::function<void(std::function<void()>)>;
void run_jobs(size_t n, const std::function<void(size_t job, const Tell& tell)>& work);

}  // namespace xplan::install
