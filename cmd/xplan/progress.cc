// Progress hooks for people: the lines "Creating…", "Still creating…", "Creation complete after…" and their
// counterparts for reads, imports, ephemeral resources and provisioners.
#include "cmd/xplan/progress.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/quote.h"
#include "core/base/terminal.h"

namespace xplan::cmd {
namespace {

std::string name(const AbsInstance& a, std::string_view deposed) {
  return deposed.empty() ? a.text() : fmt::format("{} (deposed object {})", a.text(), deposed);
}

}  // namespace

// Nothing of it can be taken for a line of its own.
std::string id_suffix(const ObjectId& id) {
  if (id.key.empty() || id.value.empty()) return "";
  std::string value = id.value;
  if (std::any_of(value.begin(), value.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; })) {
    value.clear();
    append_quoted(value, id.value, Quoting::Debug);
  }
  return fmt::format(" [{}={}]", id.key, value);
}

ActionWords action_words(Action a) {
  const ActionFacts f = facts(a);
  return {f.doing, f.done, f.still};
}

ActionWords ephemeral_words(std::string_view operation) {
  if (operation == "open") return {"Opening", "Opening", "opening"};
  if (operation == "renew") return {"Renewing", "Renewal", "renewing"};
  return {"Closing", "Closing", "closing"};
}

Action ephemeral_action(std::string_view operation) {
  return operation == "open" ? Action::Create : operation == "renew" ? Action::Update : Action::Delete;
}

std::string_view ephemeral_operation(Action a) {
  return a == Action::Create ? "open" : a == Action::Update ? "renew" : "close";
}

std::string still_text(std::string_view still, const Ticker::Since& since) {
  return since.waits_for.empty() ? std::string(still) : waiting_text(since.waits_for);
}

std::string waiting_text(std::string_view place, bool several) {
  return fmt::format("waiting for {} to record {}", place, several ? "them" : "it");
}

std::vector<UnderWay> under_way(Ticker& actions, Ticker& ephemeral) {
  std::vector<UnderWay> out;
  auto add = [&](const AbsInstance& a, std::string_view doing, const Ticker::Since& since) {
    out.push_back({a.text(), std::string(doing), since.seconds, !since.waits_for.empty()});
  };
  actions.each_running([&](const AbsInstance& a, Action action, const ObjectId&, const Ticker::Since& since) {
    add(a, action_words(action).still, since);
  });
  ephemeral.each_running(
      [&](const AbsInstance& a, Action action, const ObjectId&, const Ticker::Since& since) {
        add(a, ephemeral_words(ephemeral_operation(action)).still, since);
      });
  return out;
}

Progress::Progress(Session& s, bool concise)
    : s_(s),
      concise_(concise),
      ticker_(
          [this](const AbsInstance& a, Action action, const ObjectId& id, const Ticker::Since& since) {
            underway(fmt::format(
                "{}: Still {}... [{}{} elapsed]", a.text(), still_text(action_words(action).still, since),
                id_suffix(id).empty() ? "" : id.key + "=" + id.value + ", ", seconds_text(since.seconds)));
          },
          [this](size_t count, const Ticker::Since& since) {
            underway(fmt::format("{} operations: Still {}... [{} elapsed]", count,
                                 waiting_text(since.waits_for, true), seconds_text(since.seconds)));
          }),
      ephemeral_([this](const AbsInstance& a, Action action, const ObjectId&, const Ticker::Since& since) {
        underway(fmt::format("{}: Still {}... [{} elapsed]", a.text(),
                             ephemeral_words(ephemeral_operation(action)).still,
                             seconds_text(since.seconds)));
      }) {}

void Progress::line(std::string text) {
  text += '\n';
  s_.io.out(text);
  s_.io.flush();  // whoever reads along in a pipe is to see it now
}
void Progress::underway(std::string text) {
  if (!concise_) line(std::move(text));
}

void Progress::refresh_start(const AbsInstance& a, std::string_view deposed, const ObjectId& id) {
  underway(name(a, deposed) + ": Refreshing state..." + id_suffix(id));
}
void Progress::import_prepare(const AbsInstance& a, const ObjectId& id) {
  underway(a.text() + ": Preparing import..." + id_suffix(id));
}
void Progress::imported(const AbsInstance& a, const ObjectId& id) {
  underway(a.text() + ": Importing..." + id_suffix(id));
  line(a.text() + ": Import complete" + id_suffix(id));
}
void Progress::read_start(const AbsInstance& a) {
  underway(a.text() + ": Reading...");
  ticker_.start(a, "", Action::Read);
}
void Progress::read_done(const AbsInstance& a, const ObjectId& id, double) {
  underway(fmt::format("{}: Read complete after {}{}", a.text(), seconds_text(ticker_.stop(a, "")),
                       id_suffix(id)));
}
void Progress::ephemeral_start(const AbsInstance& a, std::string_view operation) {
  underway(fmt::format("{}: {}...", a.text(), ephemeral_words(operation).doing));
  ephemeral_.start(a, operation, ephemeral_action(operation));
}
void Progress::ephemeral_done(const AbsInstance& a, std::string_view operation) {
  underway(fmt::format("{}: {} complete after {}", a.text(), ephemeral_words(operation).done,
                       seconds_text(ephemeral_.stop(a, operation))));
}
void Progress::ephemeral_failed(const AbsInstance& a, std::string_view operation) {
  ephemeral_.stop(a, operation);
}
void Progress::apply_start(const AbsInstance& a, std::string_view deposed, Action action,
                           const ObjectId& id) {
  underway(fmt::format("{}: {}...{}", name(a, deposed), action_words(action).doing, id_suffix(id)));
  ticker_.start(a, deposed, action, id);
}
void Progress::apply_done(const AbsInstance& a, std::string_view deposed, Action action, const ObjectId& id,
                          double) {
  line(fmt::format("{}: {} complete after {}{}", a.text(), action_words(action).done,
                   seconds_text(ticker_.stop(a, deposed)), action == Action::Delete ? "" : id_suffix(id)));
}
void Progress::apply_failed(const AbsInstance& a, std::string_view deposed, Action, double) {
  ticker_.stop(a, deposed);  // the error is reported at the end
}
void Progress::record_start(const AbsInstance& a, std::string_view deposed, std::string_view place) {
  ticker_.waits(a, deposed, place);
}
void Progress::provision_start(const AbsInstance& a, std::string_view type) {
  underway(fmt::format("{}: Provisioning with '{}'...", a.text(), type));
}
void Progress::provision_output(const AbsInstance& a, std::string_view type, std::string_view text) {
  line(fmt::format("{} ({}): {}", a.text(), type, harmless_output(text)));
}

}  // namespace xplan::cmd
