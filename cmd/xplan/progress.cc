#include "cmd/xplan/progress.h"

#include <fmt/format.h>

namespace xplan::cmd {
namespace {

std::string name(const AbsInstance& a, std::string_view deposed) {
  return deposed.empty() ? a.text() : fmt::format("{} (deposed object {})", a.text(), deposed);
}

}  // namespace

std::string id_suffix(const ObjectId& id) {
  return id.key.empty() ? "" : fmt::format(" [{}={}]", id.key, id.value);
}

ActionWords action_words(Action a) {
  switch (a) {
    case Action::Create:
      return {"Creating", "Creation", "creating"};
    case Action::Update:
      return {"Modifying", "Modifications", "modifying"};
    case Action::Delete:
      return {"Destroying", "Destruction", "destroying"};
    case Action::Read:
      return {"Reading", "Read", "reading"};
    default:
      return {"Working", "Work", "working"};
  }
}

Progress::Progress(Session& s)
    : s_(s), ticker_([this](const AbsInstance& a, Action action, int64_t seconds) {
        line(fmt::format("{}: Still {}... [{}s elapsed]", a.text(), action_words(action).still, seconds));
      }) {}

void Progress::line(std::string text) {
  text += '\n';
  s_.io.out(text);
}

void Progress::refresh_start(const AbsInstance& a, const ObjectId& id) {
  if (s_.io.out_is_terminal) line(a.text() + ": Refreshing state..." + id_suffix(id));
}
void Progress::read_start(const AbsInstance& a) {
  if (!s_.io.out_is_terminal) return;
  line(a.text() + ": Reading...");
  ticker_.start(a, "", Action::Read);
}
void Progress::read_done(const AbsInstance& a, const ObjectId& id, double) {
  if (s_.io.out_is_terminal)
    line(fmt::format("{}: Read complete after {}s{}", a.text(), ticker_.stop(a, ""), id_suffix(id)));
}
void Progress::ephemeral_start(const AbsInstance& a, std::string_view operation) {
  if (!s_.io.out_is_terminal) return;
  line(fmt::format("{}: {}...", a.text(),
                   operation == "open"    ? "Opening"
                   : operation == "renew" ? "Renewing"
                                          : "Closing"));
}
void Progress::apply_start(const AbsInstance& a, std::string_view deposed, Action action,
                           const ObjectId& id) {
  if (!s_.io.out_is_terminal) return;
  line(fmt::format("{}: {}...{}", name(a, deposed), action_words(action).doing, id_suffix(id)));
  ticker_.start(a, deposed, action);
}
void Progress::apply_done(const AbsInstance& a, std::string_view deposed, Action action, const ObjectId& id,
                          double seconds) {
  if (s_.io.out_is_terminal) ticker_.stop(a, deposed);
  line(fmt::format("{}: {} complete after {}s{}", name(a, deposed), action_words(action).done,
                   static_cast<int64_t>(seconds), action == Action::Delete ? "" : id_suffix(id)));
}
void Progress::apply_failed(const AbsInstance& a, std::string_view deposed, Action action, double seconds) {
  if (s_.io.out_is_terminal) ticker_.stop(a, deposed);
  line(fmt::format("{}: {} failed after {}s", name(a, deposed), action_words(action).done,
                   static_cast<int64_t>(seconds)));
}
void Progress::provision_start(const AbsInstance& a, std::string_view type) {
  if (s_.io.out_is_terminal) line(fmt::format("{}: Provisioning with '{}'...", a.text(), type));
}
void Progress::provision_output(const AbsInstance& a, std::string_view type, std::string_view text) {
  line(fmt::format("{} ({}): {}", a.text(), type, text));
}

}  // namespace xplan::cmd
