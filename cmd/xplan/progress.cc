#include "cmd/xplan/progress.h"

#include <fmt/format.h>

namespace xplan::cmd {
namespace {

std::string id_suffix(const ObjectId& id) { return id.key.empty() ? "" : fmt::format(" [{}={}]", id.key, id.value); }

std::string name(const AbsInstance& a, std::string_view deposed) {
  return deposed.empty() ? a.text() : fmt::format("{} (deposed object {})", a.text(), deposed);
}

struct Words {
  std::string_view doing, done;
};
Words words(Action a) {
  switch (a) {
    case Action::Create: return {"Creating", "Creation"};
    case Action::Update: return {"Modifying", "Modifications"};
    case Action::Delete: return {"Destroying", "Destruction"};
    case Action::Read: return {"Reading", "Read"};
    default: return {"Working", "Work"};
  }
}

}  // namespace

void Progress::line(std::string text) {
  if (s_.json) return;
  text += '\n';
  s_.io.out(text);
}

void Progress::refresh_start(const AbsInstance& a, const ObjectId& id) {
  if (s_.io.out_is_terminal) line(a.text() + ": Refreshing state..." + id_suffix(id));
}
void Progress::read_start(const AbsInstance& a) {
  if (s_.io.out_is_terminal) line(a.text() + ": Reading...");
}
void Progress::apply_start(const AbsInstance& a, std::string_view deposed, Action action, const ObjectId& id) {
  if (s_.io.out_is_terminal) line(fmt::format("{}: {}...{}", name(a, deposed), words(action).doing, id_suffix(id)));
}
void Progress::apply_done(const AbsInstance& a, std::string_view deposed, Action action, const ObjectId& id, double seconds) {
  line(fmt::format("{}: {} complete after {}s{}", name(a, deposed), words(action).done, static_cast<int64_t>(seconds), action == Action::Delete ? "" : id_suffix(id)));
}
void Progress::apply_failed(const AbsInstance& a, std::string_view deposed, Action action, double seconds) {
  line(fmt::format("{}: {} failed after {}s", name(a, deposed), words(action).done, static_cast<int64_t>(seconds)));
}
void Progress::provision_start(const AbsInstance& a, std::string_view type) {
  if (s_.io.out_is_terminal) line(fmt::format("{}: Provisioning with '{}'...", a.text(), type));
}
void Progress::provision_output(const AbsInstance& a, std::string_view type, std::string_view text) {
  line(fmt::format("{} ({}): {}", a.text(), type, text));
}

}  // namespace xplan::cmd
