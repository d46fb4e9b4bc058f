// Open ephemeral resources: the thread that renews them when due, and closing them in reverse order of
// dependency at the end of a walk.
#include "core/plan/ephemerals.h"

#include <algorithm>
#include <chrono>

#include "core/base/threads.h"
#include "core/graph/walk.h"
#include "core/plan/objects.h"

namespace xplan {

Ephemerals::~Ephemerals() {
  stop_renewing();
}

void Ephemerals::push(uint32_t node, const AbsInstance& addr, Provider* provider,
                      const OpenEphemeralResponse& opened) {
  std::lock_guard guard(lock_);
  open_.push_back({node, addr, provider, opened.private_data, opened.renew_at_unix});
  if (!opened.renew_at_unix) return;
  if (!renewer_.joinable()) renewer_ = optional_thread([this] { renew_when_due(); });
  wake_.notify_one();
}

void Ephemerals::renew_when_due() {
  using Clock = std::chrono::system_clock;
  std::unique_lock guard(lock_);
  while (!done_) {
    Open* next = nullptr;
    for (Open& o : open_)
      if (o.renew_at && (!next || o.renew_at < next->renew_at)) next = &o;
    if (!next) {
      wake_.wait(guard);
      continue;
    }
    Clock::time_point due = Clock::from_time_t(static_cast<time_t>(next->renew_at));
    if (Clock::now() < due) {
      wake_.wait_until(guard, due);  // something sooner may have come meanwhile
      continue;
    }
    std::string private_data = next->private_data;
    guard.unlock();
    OpenEphemeralResponse renewed = next->provider->renew_ephemeral(next->addr.resource.type, private_data);
    guard.lock();
    add_provider_diags(renewed.diags, next->addr, nullptr, problems_);
    if (!renewed.private_data.empty()) next->private_data = renewed.private_data;
    // Clocks count whole seconds here: "now" may be the second that has just gone by.
    next->renew_at = renewed.renew_at_unix ? std::max(renewed.renew_at_unix, next->renew_at + 1) : 0;
  }
}

void Ephemerals::stop_renewing() {
  {
    std::lock_guard guard(lock_);
    done_ = true;
    wake_.notify_all();
  }
  if (renewer_.joinable()) renewer_.join();
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
  hooks.ephemeral_start(o.addr, "close");
  add_provider_diags(o.provider->close_ephemeral(o.addr.resource.type, o.private_data), o.addr, nullptr,
                     diags);
  diags.has_errors() ? hooks.ephemeral_failed(o.addr, "close") : hooks.ephemeral_done(o.addr, "close");
}

void Ephemerals::close_all(const ConfigGraph& cg, int parallelism, Hooks& hooks, Diagnostics& diags) {
  stop_renewing();
  diags.append(std::move(problems_));
  if (open_.empty()) return;
  const std::vector<uint32_t> depth = depths(cg);
  std::sort(open_.begin(), open_.end(), [&](const Open& a, const Open& b) {
    return depth[a.node] != depth[b.node] ? depth[a.node] > depth[b.node] : less(b.addr, a.addr);
  });
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
