// The stream of JSON lines of -json: each message is one object on one line.
//
// Who calls it: cmd (plan, apply, destroy, refresh with -json): the program's own messages and those of a
// Hooks. Form: @level, @message, @module, @timestamp, then the message's own members in alphabetical order;
// see the specification, "Streaming UI".  Contract: a sensitive value is never part of a message. Cost:
// linear in the message.  Thread-safety: message() hands whole lines to the sink and may be called from
// several threads when the sink may.
#pragma once
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "core/base/json_writer.h"
#include "core/diag/diagnostic.h"
#include "core/diag/source.h"
#include "core/plan/hooks.h"
#include "core/plan/plan.h"

namespace xplan::render {

class JsonStream {
 public:
  using Sink = std::function<void(std::string_view line)>;  // the newline included
  JsonStream(Sink sink, std::string_view module) : sink_(std::move(sink)), module_(module) {}

  // `members` writes the message's members behind the common ones, "type" included. The messages of init and
  // of locks have times in whole seconds, all others in microseconds.
  enum class Time : uint8_t { Seconds, Microseconds };
  void message(std::string_view level, std::string_view text, const std::function<void(JsonWriter&)>& members,
               Time time = Time::Microseconds) const;

  // Whose names and members the messages have, where the two reference tools differ.
  bool of_tofu() const { return module_ == "tofu.ui"; }

  // What the messages from here on are about, for the tests: a file and a run; "" for none.
  void about(std::string test_file, std::string test_run) {
    test_file_ = std::move(test_file), test_run_ = std::move(test_run);
  }
  void version(std::string_view product, std::string_view product_version,
               std::string_view language_version) const;
  void log(std::string_view text) const;
  void diagnostics(const Diagnostics& diags, const SourceTable* sources) const;
  // resource_drift, planned_change and deferred_change of every change, change_summary and outputs. Not
  // `whole`, when a saved plan is about to be applied: the changes that it makes to objects.
  void plan(const Plan& plan, bool whole) const;

  struct Applied {
    size_t added = 0, changed = 0, destroyed = 0, imported = 0, forgotten = 0;
  };
  void applied(const Applied& n, bool destroy) const;
  void outputs(const std::map<Symbol, OutputState, SymbolTextLess>& outputs) const;

  // A message of type `type` about one resource: hook{resource, …what `more` adds}.
  void hook(std::string_view type, const AbsInstance& a, std::string_view text,
            const std::function<void(JsonWriter&)>& more) const;

 private:
  void change(std::string_view type, const ResourceChange& c) const;
  void deferred(const DeferredChange& d) const;
  Sink sink_;
  std::string_view module_;
  std::string test_file_, test_run_;
};

}  // namespace xplan::render
