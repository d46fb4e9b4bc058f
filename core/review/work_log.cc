// Collects what an apply did, and groups its failures by what was reported.
#include "core/review/work_log.h"

#include <algorithm>
#include <unordered_map>

namespace xplan::review {
namespace {

Aftermath aftermath_of(const Operation& op, const State& after) {
  const InstanceState* s = after.find(op.addr);
  switch (op.action) {
    case Action::Create:
      return s && s->current && s->current->status == ObjectStatus::Tainted ? Aftermath::Tainted
             : s && s->current                                              ? Aftermath::MayHaveChanged
                                                                            : Aftermath::NotCreated;
    case Action::Read:
      return Aftermath::NotRead;
    case Action::Delete:
    case Action::Forget:
      return Aftermath::StillExists;
    case Action::NoOp:
    case Action::Update:
    case Action::DeleteThenCreate:
    case Action::CreateThenDelete:
    case Action::ForgetThenCreate:
      break;
  }
  return Aftermath::MayHaveChanged;
}

}  // namespace

void WorkLog::add(Operation op, bool failed) {
  std::lock_guard guard(lock_);
  if (failed) {
    failed_.push_back(std::move(op));
    return;
  }
  ++done_[static_cast<size_t>(op.action)];
  if (longest_.size() == kLongest && longest_.back().seconds >= op.seconds) return;
  const auto at =
      std::upper_bound(longest_.begin(), longest_.end(), op,
                       [](const Operation& a, const Operation& b) { return a.seconds > b.seconds; });
  longest_.insert(at, std::move(op));
  if (longest_.size() > kLongest) longest_.pop_back();
}

size_t WorkLog::done() const {
  size_t all = 0;
  for (const size_t n : done_) all += n;
  return all;
}

std::vector<FailureGroup> failures_by_cause(const WorkLog& work, const Diagnostics& diags,
                                            const State& after) {
  std::unordered_map<std::string, const Diagnostic*> errors;  // the first one of each address
  for (const Diagnostic& d : diags.all())
    if (d.severity == Severity::Error && !d.address.empty()) errors.emplace(d.address, &d);
  std::vector<FailureGroup> out;
  std::unordered_map<std::string, size_t> groups;
  for (const Operation& op : work.failed()) {
    const auto it = errors.find(op.addr.text());
    const Diagnostic* d = it == errors.end() ? nullptr : it->second;
    const std::string key = d ? d->summary + "\n" + d->detail : "";
    const auto [group, is_new] = groups.emplace(key, out.size());
    if (is_new)
      out.push_back(d ? FailureGroup{d->summary, d->detail, d->subject, {}} : FailureGroup{"", "", {}, {}});
    out[group->second].failures.push_back({&op, aftermath_of(op, after)});
  }
  for (FailureGroup& g : out)
    std::stable_sort(g.failures.begin(), g.failures.end(), [](const Failure& a, const Failure& b) {
      return less(a.operation->addr, b.operation->addr);
    });
  std::stable_sort(out.begin(), out.end(), [](const FailureGroup& a, const FailureGroup& b) {
    return a.failures.size() > b.failures.size();
  });
  return out;
}

}  // namespace xplan::review
