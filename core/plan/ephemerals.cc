#include "core/plan/ephemerals.h"

#include <algorithm>

#include "core/plan/objects.h"

namespace xplan {

void Ephemerals::close_all(Hooks& hooks, Diagnostics& diags) {
  std::sort(open_.begin(), open_.end(), [](const Open& a, const Open& b) { return less(b.addr, a.addr); });
  for (const Open& o : open_) {
    hooks.ephemeral_start(o.addr, "close");
    add_provider_diags(o.provider->close_ephemeral(o.type, o.private_data), o.addr, nullptr, diags);
    hooks.ephemeral_done(o.addr, "close");
  }
  open_.clear();
}

}  // namespace xplan
