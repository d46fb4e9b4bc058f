// Progress hooks for -json: turns each event (refresh, read, apply, provisioner, ephemeral) into one message
// of the JSON stream. Open this for the wording and members of those messages.
#include "cmd/xplan/json_progress.h"

#include <fmt/format.h>

namespace xplan::cmd {
namespace {

// The stream's words are those of people, but for data sources, which "refresh" there.
ActionWords stream_words(Action a) {
  return a == Action::Read ? ActionWords{"Refreshing", "Refresh", "refreshing"} : action_words(a);
}

void write_id(const ObjectId& id, JsonWriter& w) {
  if (id.key.empty()) return;
  w.member("id_key", id.key);
  w.member("id_value", id.value);
}

// What events of something that takes time have in common.
auto timed(std::string_view action, int64_t seconds) {
  return [=](JsonWriter& w) {
    w.member("action", action);
    w.member("elapsed_seconds", seconds);
  };
}

}  // namespace

JsonProgress::JsonProgress(const render::JsonStream& stream)
    : out_(stream),
      ticker_([this](const AbsInstance& a, Action action, const ObjectId&, const Ticker::Since& since) {
        out_.hook("apply_progress", a,
                  fmt::format("{}: Still {}... [{} elapsed]", a.text(),
                              still_text(stream_words(action).still, since), seconds_text(since.seconds)),
                  timed(facts(action).word, since.seconds));
      }),
      ephemeral_([this](const AbsInstance& a, Action action, const ObjectId&, const Ticker::Since& since) {
        if (out_.of_tofu()) return;  // only that it begins, and that it is over, and in other words
        const std::string_view operation = ephemeral_operation(action);
        out_.hook("ephemeral_op_progress", a,
                  fmt::format("{}: Still {}... [{} elapsed]", a.text(), ephemeral_words(operation).still,
                              seconds_text(since.seconds)),
                  timed(operation, since.seconds));
      }) {}

void JsonProgress::refresh_start(const AbsInstance& a, std::string_view, const ObjectId& id) {
  out_.hook("refresh_start", a, a.text() + ": Refreshing state..." + id_suffix(id),
            [&](JsonWriter& w) { write_id(id, w); });
}
void JsonProgress::refresh_done(const AbsInstance& a, const ObjectId& id) {
  out_.hook("refresh_complete", a, a.text() + ": Refresh complete" + id_suffix(id),
            [&](JsonWriter& w) { write_id(id, w); });
}

void JsonProgress::read_start(const AbsInstance& a) {
  apply_start(a, "", Action::Read, {});
}
void JsonProgress::read_done(const AbsInstance& a, const ObjectId& id, double) {
  apply_done(a, "", Action::Read, id, 0);
}

void JsonProgress::apply_start(const AbsInstance& a, std::string_view deposed, Action action,
                               const ObjectId& id) {
  out_.hook("apply_start", a, fmt::format("{}: {}...{}", a.text(), stream_words(action).doing, id_suffix(id)),
            [&](JsonWriter& w) {
              w.member("action", facts(action).word);
              write_id(id, w);
            });
  ticker_.start(a, deposed, action);
}
void JsonProgress::apply_done(const AbsInstance& a, std::string_view deposed, Action action,
                              const ObjectId& id, double) {
  int64_t seconds = ticker_.stop(a, deposed);
  ObjectId shown = action == Action::Delete ? ObjectId() : id;  // what is gone has no id any more
  out_.hook("apply_complete", a,
            fmt::format("{}: {} complete after {}{}", a.text(), stream_words(action).done,
                        seconds_text(seconds), id_suffix(shown)),
            [&](JsonWriter& w) {
              w.member("action", facts(action).word);
              write_id(shown, w);
              w.member("elapsed_seconds", seconds);
            });
}
void JsonProgress::apply_failed(const AbsInstance& a, std::string_view deposed, Action action, double) {
  int64_t seconds = ticker_.stop(a, deposed);
  out_.hook(
      "apply_errored", a,
      fmt::format("{}: {} errored after {}", a.text(), stream_words(action).done, seconds_text(seconds)),
      timed(facts(action).word, seconds));
}

void JsonProgress::tell_ephemeral(const AbsInstance& a, std::string_view type, const std::string& text) {
  out_.hook(type, a, fmt::format("{}: {}", a.text(), text), [&](JsonWriter& w) { w.member("Msg", text); });
}

void JsonProgress::ephemeral_start(const AbsInstance& a, std::string_view operation) {
  const std::string text = fmt::format("{}...", ephemeral_words(operation).doing);
  if (out_.of_tofu())
    tell_ephemeral(a, "ephemeral_action_started", text);
  else
    out_.hook("ephemeral_op_start", a, fmt::format("{}: {}", a.text(), text),
              [&](JsonWriter& w) { w.member("action", operation); });
  ephemeral_.start(a, operation, ephemeral_action(operation));
}
void JsonProgress::ephemeral_failed(const AbsInstance& a, std::string_view operation) {
  if (out_.of_tofu()) return ephemeral_done(a, operation);
  int64_t seconds = ephemeral_.stop(a, operation);
  out_.hook("ephemeral_op_errored", a,
            fmt::format("{}: {} errored after {}", a.text(), ephemeral_words(operation).done,
                        seconds_text(seconds)),
            timed(operation, seconds));
}
void JsonProgress::ephemeral_done(const AbsInstance& a, std::string_view operation) {
  int64_t seconds = ephemeral_.stop(a, operation);
  if (out_.of_tofu()) {
    const std::string_view name = operation == "open" ? "Open" : operation == "renew" ? "Renew" : "Close";
    return tell_ephemeral(a, "ephemeral_action_complete", fmt::format("{} complete", name));
  }
  out_.hook("ephemeral_op_complete", a,
            fmt::format("{}: {} complete after {}", a.text(), ephemeral_words(operation).done,
                        seconds_text(seconds)),
            timed(operation, seconds));
}

void JsonProgress::provision_start(const AbsInstance& a, std::string_view type) {
  out_.hook("provision_start", a, fmt::format("{}: Provisioning with '{}'...", a.text(), type),
            [&](JsonWriter& w) { w.member("provisioner", type); });
}
void JsonProgress::provision_output(const AbsInstance& a, std::string_view type, std::string_view line) {
  out_.hook("provision_progress", a, fmt::format("{}: ({}): {}", a.text(), type, line), [&](JsonWriter& w) {
    w.member("provisioner", type);
    w.member("output", line);
  });
}
void JsonProgress::provision_done(const AbsInstance& a, std::string_view type, bool ok) {
  out_.hook(ok ? "provision_complete" : "provision_errored", a,
            fmt::format("{}: ({}) Provisioning {}", a.text(), type, ok ? "complete" : "errored"),
            [&](JsonWriter& w) { w.member("provisioner", type); });
}

}  // namespace xplan::cmd
