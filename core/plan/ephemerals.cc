// Open ephemeral resources: the threads that renew them when due, one for each that asks for it, up to 64 and
// to -parallelism; closing all of them in reverse order of dependency at the end of a walk.
#include "core/plan/ephemerals.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "core/base/threads.h"
#include "core/graph/walk.h"
#include "core/plan/objects.h"
#include "core/provider/timing/subject.h"

namespace xplan {

Ephemerals::Ephemerals(int parallelism, Hooks& hooks)
    : max_renewers_(static_cast<size_t>(std::clamp(parallelism, 1, 64))), hooks_(hooks) {}

Ephemerals::~Ephemerals() {
  stop_renewing();
}

void Ephemerals::push(uint32_t node, const AbsInstance& addr, Provider* provider,
                      const OpenEphemeralResponse& opened) {
  std::lock_guard guard(lock_);
  open_.push_back({node, addr, provider, opened.private_data, {}});
  if (!opened.renew_at_unix) return;
  due_.push({opened.renew_at_unix, &open_.back()});
  wake_.notify_all();
  if (renewers_.size() >= max_renewers_) return;
  if (std::thread t = optional_thread([this] { renew_when_due(); }); t.joinable())
    renewers_.push_back(std::move(t));
}

void Ephemerals::renew_when_due() {
  using Clock = std::chrono::system_clock;
  std::unique_lock guard(lock_);
  while (!done_) {
    if (due_.empty()) {
      wake_.wait(guard);
      continue;
    }
    const Due next = due_.top();
    const int64_t now =
        std::chrono::duration_cast<std::chrono::seconds>(Clock::now().time_since_epoch()).count();
    if (next.at > now) {  // something sooner may come meanwhile, and clocks are set
      wake_.wait_until(guard, Clock::now() + std::chrono::seconds(std::min<int64_t>(next.at - now, 60)));
      continue;
    }
    due_.pop();
    renew(next, guard);
  }
}

void Ephemerals::renew(Due due, std::unique_lock<std::mutex>& guard) {
  Open& o = *due.object;
  guard.unlock();
  const CallSubject about(o.addr);
  hooks_.ephemeral_start(o.addr, "renew");
  OpenEphemeralResponse renewed = o.provider->renew_ephemeral(o.addr.resource.type, o.private_data);
  const size_t errors = o.problems.error_count();
  add_provider_diags(renewed.diags, o.addr, nullptr, o.problems);
  o.problems.error_count() != errors ? hooks_.ephemeral_failed(o.addr, "renew")
                                     : hooks_.ephemeral_done(o.addr, "renew");
  if (!renewed.private_data.empty()) o.private_data = std::move(renewed.private_data);
  guard.lock();
  // Clocks count whole seconds here: "now" may be the second that has just gone by.
  if (!renewed.renew_at_unix) return;
  due_.push({std::max(renewed.renew_at_unix, due.at + 1), &o});
  wake_.notify_all();
}

void Ephemerals::stop_renewing() {
  {
    std::lock_guard guard(lock_);
    done_ = true;
    wake_.notify_all();
  }
  for (std::thread& t : renewers_) t.join();
  renewers_.clear();
}

namespace {

// By node: how many ephemeral resources, each reading the one before, lead to it.
std::vector<uint32_t> depths(const ConfigGraph& cg) {
  auto is_ephemeral = [&](uint32_t n) {
    const GraphNode& g = cg.nodes[n];
    return g.kind == NodeKind::Resource && g.node->module->resources[g.index].addr.mode == Mode::Ephemeral;
  };
  std::vector<uint32_t> out(cg.nodes.size());
  for (uint32_t n : cg.graph.topological_order())
    for (uint32_t d : cg.graph.dependencies(n)) out[n] = std::max(out[n], out[d] + is_ephemeral(d));
  return out;
}

}  // namespace

void Ephemerals::close(const Open& o, Hooks& hooks, Diagnostics& diags) {
  const CallSubject about(o.addr);
  hooks.ephemeral_start(o.addr, "close");
  add_provider_diags(o.provider->close_ephemeral(o.addr.resource.type, o.private_data), o.addr, nullptr,
                     diags);
  diags.has_errors() ? hooks.ephemeral_failed(o.addr, "close") : hooks.ephemeral_done(o.addr, "close");
}

void Ephemerals::close_all(const ConfigGraph& cg, int parallelism, Hooks& hooks, Diagnostics& diags) {
  stop_renewing();
  if (open_.empty()) return;
  const std::vector<uint32_t> depth = depths(cg);
  std::sort(open_.begin(), open_.end(), [&](const Open& a, const Open& b) {
    return depth[a.node] != depth[b.node] ? depth[a.node] > depth[b.node] : less(b.addr, a.addr);
  });
  for (Open& o : open_) diags.append(std::move(o.problems));
  std::vector<Diagnostics> said(open_.size());
  for (size_t first = 0, last; first < open_.size(); first = last) {
    for (last = first; last < open_.size() && depth[open_[last].node] == depth[open_[first].node];) ++last;
    const WalkOutcome closed = parallel_for(last - first, {parallelism, nullptr}, [&](size_t i) {
      close(open_[first + i], hooks, said[first + i]);
    });
    if (!closed.exception.empty())
      diags.error("Ephemeral resource not closed",
                  "The run ended with an internal error (" + closed.exception + ").");
  }
  for (Diagnostics& d : said) diags.append(std::move(d));
  open_.clear();
}

}  // namespace xplan
