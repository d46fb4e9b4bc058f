// Prints a plan for people, section by section: drift, legend, changes, deferred changes, outputs, summary
// line. One change is printed by human_change.cc.
#include "render/human_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <unordered_map>

#include "core/base/command_line.h"
#include "core/review/summary.h"
#include "render/change_diff.h"
#include "render/diff_print.h"
#include "render/short_value.h"

namespace xplan::render {

namespace {

// Whether every change looks the same before and after.
bool nothing_planned(const Plan& plan, Arena& arena) {
  for (const ResourceChange& c : plan.changes) {
    if (c.moved()) return false;
    if (c.change.action == Action::NoOp) continue;
    arena.release();
    if (change_diff(c, nullptr, arena)->act != Act::NoOp) return false;
  }
  std::string outputs;
  render_output_changes(plan, {}, outputs);
  return outputs.empty();
}

class PlanText {
 public:
  PlanText(const Plan& plan, const HumanOptions& options, const Sink& sink)
      : plan_(plan), o_(options), sink_(sink) {}
  void write();
  void count_changes();
  std::string summary() const;

 private:
  size_t count(Action a) const { return counts_[static_cast<size_t>(a)]; }
  void drift(const std::vector<ShownDrift>& drifts);
  void no_changes(bool have_drift);
  void legend();
  void deferred();
  void unverified();
  // Prose is wrapped; the text may hold line breaks of its own.
  void prose(const std::string& text) { put_wrapped(out_, text, o_.width), out_ += '\n'; }
  void bold(std::string_view s) { put(out_, s, Style::Bold, o_.color); }
  void flush() {
    sink_(out_);
    out_.clear();
  }

  const Plan& plan_;
  const HumanOptions& o_;
  const Sink& sink_;
  std::string out_, output_text_;
  Arena arena_;
  std::array<size_t, kActions> counts_{};
  size_t importing_ = 0, shown_ = 0;
};

void PlanText::drift(const std::vector<ShownDrift>& drifts) {
  out_ += '\n';
  put(out_, "Note:", Style::BoldCyan, o_.color);
  bold(" Objects have changed outside of " + o_.product);
  out_ += "\n\n";
  prose(o_.product + " found these changes made outside of it since the last " + own_command("apply") +
        "; they may affect this plan:");
  for (const ShownDrift& d : drifts) {
    arena_.release();
    const Diff* diff =
        change_diff(*d.change, plan_.mode == PlanMode::RefreshOnly ? nullptr : &d.paths, arena_, o_.diff);
    std::string text;
    if (!render_change(*d.change, *diff, ChangeCause::Drift, o_, text, arena_)) continue;
    out_ += '\n';
    out_ += text;
    flush();
  }
  out_ += "\n\n";
  if (plan_.mode == PlanMode::RefreshOnly) {
    prose(
        "This is a refresh-only plan, so these changes will not be undone. If they are expected, apply this "
        "plan to record the new values in the state. No infrastructure is changed.");
  } else {
    prose(
        "Unless you have made equivalent changes to your configuration, or ignore these attributes with "
        "ignore_changes, the plan below may undo these changes or respond to them.");
  }
}

void PlanText::no_changes(bool have_drift) {
  auto headline = [&](std::string_view rest) {
    std::string text;
    put(text, "No changes.", Style::BoldGreen, o_.color);
    put(text, " " + std::string(rest), Style::Bold, o_.color);
    out_ += '\n';
    prose(text);
  };
  if (plan_.errored) {
    if (have_drift) put_rule(out_, o_);
    return render_failed_plan(o_, out_);
  }
  switch (plan_.mode) {
    case PlanMode::RefreshOnly:
      if (have_drift) return;
      headline("Your infrastructure still matches the configuration.");
      out_ += '\n';
      prose(
          plan_.applyable
              ? "The real objects match the state. Applying this plan records in which order they are to be "
                "destroyed, as the configuration says now."
              : "The real objects match the state. There is nothing to record.");
      return;
    case PlanMode::Destroy:
      if (have_drift) put_rule(out_, o_);
      headline("No objects need to be destroyed.");
      out_ += '\n';
      prose(
          plan_.limited_by().empty()
              ? "No object in the state still exists: either nothing has been created yet, or everything was "
                "already deleted elsewhere."
              : fmt::format("No objects in the state are selected by {}.", plan_.limited_by()));
      return;
    case PlanMode::Normal:
      break;
  }
  if (have_drift) put_rule(out_, o_);
  headline("Your infrastructure matches the configuration.");
  out_ += '\n';
  if (have_drift && plan_.applyable) {
    prose(
        "The configuration already matches the changes above. Applying this plan records them in the state. "
        "No infrastructure is changed.");
  } else if (have_drift) {
    prose(
        "The configuration already matches the changes above. To record them in the state, apply a "
        "refresh-only plan" +
        (o_.in_automation ? std::string(".") : fmt::format(":\n  {} apply -refresh-only", program_name())));
  } else {
    prose("All resources match the configuration. Nothing needs to change.");
    if (!plan_.limited_by().empty())
      prose(
          fmt::format("\nNote: only the resources selected with {} were planned. If you expected "
                      "changes, check those addresses.",
                      plan_.limited_by()));
  }
}

void PlanText::legend() {
  out_ += '\n';
  prose(o_.product + " made the following plan. Resource actions are marked with these symbols:");
  auto line = [&](Action a, std::string_view lead,
                  std::initializer_list<std::pair<std::string_view, Style>> marks, std::string_view text) {
    if (!count(a)) return;
    out_ += lead;
    for (auto [mark, style] : marks) put(out_, mark, style, o_.color);
    out_ += text;
    out_ += '\n';
  };
  using S = Style;
  line(Action::Create, "  ", {{"+", S::Green}}, " create");
  line(Action::Update, "  ", {{"~", S::Yellow}},
       o_.product == "OpenTofu" ? " update in-place (current -> planned)" : " update in-place");
  line(Action::Delete, "  ", {{"-", S::Red}}, " destroy");
  line(Action::DeleteThenCreate, "", {{"-", S::Red}, {"/", S::Plain}, {"+", S::Green}},
       " destroy and then create replacement");
  line(Action::CreateThenDelete, "", {{"+", S::Green}, {"/", S::Plain}, {"-", S::Red}},
       " create replacement and then destroy");
  line(Action::ForgetThenCreate, "", {{".", S::Red}, {"/", S::Plain}, {"+", S::Green}},
       " forget and then create replacement");
  line(Action::Read, " ", {{"<=", S::Cyan}}, " read (data resources)");
  if (o_.product == "OpenTofu") line(Action::Forget, "  ", {{".", S::Red}}, " forget");
}

void PlanText::deferred() {
  if (plan_.deferred.empty()) return;
  out_ += '\n';
  prose(o_.product +
        " deferred these changes to a later plan, because some of their values are not known yet:");
  for (const DeferredChange& d : plan_.deferred) {
    arena_.release();
    out_ += '\n';
    render_deferred(d, o_, out_, arena_);
    if (out_.size() > 65536) flush();
  }
}

std::string PlanText::summary() const {
  size_t replaced = count(Action::DeleteThenCreate) + count(Action::CreateThenDelete);
  std::string s;
  if (importing_) s += std::to_string(importing_) + " to import, ";
  const size_t remade = count(Action::ForgetThenCreate), forgotten = count(Action::Forget) + remade;
  s += std::to_string(count(Action::Create) + replaced + remade) + " to add, ";
  s += std::to_string(count(Action::Update)) + " to change, ";
  s += std::to_string(count(Action::Delete) + replaced) + " to destroy";
  if (remade || (o_.product == "OpenTofu" && forgotten)) s += ", " + std::to_string(forgotten) + " to forget";
  return s + ".";
}

void PlanText::count_changes() {
  for (const ResourceChange& c : plan_.changes) {
    if (!review::acts(c)) continue;
    ++shown_;
    if (c.change.importing) ++importing_;
    ++counts_[static_cast<size_t>(c.change.action)];
  }
}

// What was trusted, so that nobody takes it for seen.
void PlanText::unverified() {
  size_t trusted = 0, known = 0;
  for (const ResourceChange& c : plan_.changes) {
    if (c.addr.resource.mode != Mode::Managed || c.change.action == Action::Create) continue;
    ++known, trusted += c.unverified;
  }
  if (trusted == 0) return;
  out_ += '\n';
  prose(fmt::format("{} of {} objects were not refreshed; the plan relies on what the state has of them.",
                    grouped_digits(trusted), grouped_digits(known)));
}

void PlanText::write() {
  count_changes();
  size_t acting = shown_ - count(Action::NoOp);
  render_output_changes(plan_, o_, output_text_);
  std::vector<ShownDrift> drifts = drift_to_show(plan_);
  if (!drifts.empty()) drift(drifts);
  if (!shown_ && output_text_.empty() && (plan_.deferred.empty() || plan_.errored)) {
    no_changes(!drifts.empty());
    unverified();
    return flush();
  }
  if (!drifts.empty()) put_rule(out_, o_);
  if (acting) legend();
  if (shown_) {
    out_ += '\n';
    prose(o_.product + (plan_.errored ? " planned the following actions, but then encountered a problem:"
                                      : " will perform the following actions:"));
    for (const ResourceChange& c : plan_.changes) {
      if (!review::acts(c)) continue;
      arena_.release();
      out_ += '\n';
      render_change(c, *change_diff(c, nullptr, arena_, o_.diff), ChangeCause::Proposed, o_, out_, arena_);
      if (out_.size() > 65536) flush();
    }
  }
  deferred();
  if (shown_) {
    out_ += '\n';
    bold("Plan:");
    out_ += ' ';
    out_ += summary();
    out_ += '\n';
  }
  if (!output_text_.empty()) {
    out_ += "\nChanges to Outputs:\n";
    out_ += output_text_;
    if (!acting && !plan_.errored) {
      out_ += '\n';
      prose(plan_.applyable
                ? "Applying this plan records these output values in the state. No infrastructure is changed."
                : "A refresh-only plan cannot make these changes. Create a normal plan and apply it.");
    }
  }
  unverified();
  flush();
}

}  // namespace

// Drift matters when what changed feeds the plan.
std::vector<ShownDrift> drift_to_show(const Plan& plan) {
  std::vector<ShownDrift> out;
  if (plan.drift.empty()) return out;
  Arena arena;
  const bool all = plan.mode == PlanMode::RefreshOnly;
  std::unordered_map<AbsInstance, std::vector<Path>> relevant;
  if (!all) {
    if (nothing_planned(plan, arena)) return out;
    for (const RelevantAttribute& r : plan.relevant_attributes) relevant[r.addr].push_back(r.path);
  }
  for (const ResourceChange& c : plan.drift) {
    if (all) {
      if (c.change.action != Action::NoOp || c.moved()) out.push_back({&c, {}});
      continue;
    }
    std::vector<Path> paths;
    if (auto it = relevant.find(c.addr); it != relevant.end()) paths = it->second;
    if (paths.empty()) continue;
    arena.release();
    if (change_diff(c, &paths, arena)->act == Act::NoOp) continue;
    out.push_back({&c, std::move(paths)});
  }
  return out;
}

void render_output_changes(const Plan& plan, const HumanOptions& options, std::string& out) {
  std::vector<std::string> names;
  size_t width = 0;
  for (const OutputChange& c : plan.outputs) {
    names.emplace_back();
    put_name(names.back(), c.name.sv());
    width = std::max(width, names.back().size());
  }
  Arena arena;
  for (size_t i = 0; i < names.size(); ++i) {
    arena.release();
    put_output_change(plan.outputs[i], names[i], width, options, out, arena);
  }
}

bool put_output_change(const OutputChange& c, std::string_view name, size_t width,
                       const HumanOptions& options, std::string& out, Arena& arena) {
  PrintOptions print;
  print.color = options.color;
  print.show_sensitive = options.show_sensitive;
  print.style = options.diff;
  print.width = options.width;
  const bool sensitive = c.sensitive || c.was_sensitive;
  const size_t size = std::max(c.change.before.written_size(), c.change.after.written_size());
  if (size > kMostShown) {
    if (c.change.action == Action::NoOp) return false;
    const bool fresh = c.change.before.is_null(), gone = c.change.after.is_null();
    print_symbol(out, fresh ? Act::Create : gone ? Act::Delete : Act::Update, print);
    put_padded(out, name, width);
    out += " = " + (sensitive ? std::string("(sensitive value)") : too_large_text(size)) + "\n";
    return true;
  }
  const Diff* diff = Differ(arena, options.diff).value(c.change.before, c.change.after, sensitive, sensitive);
  if (diff->act == Act::NoOp) return false;
  print_symbol(out, diff->act, print);
  put_padded(out, name, width);
  out += " = ";
  print_diff(out, *diff, 0, print, arena);
  out += '\n';
  return true;
}

std::string plan_summary(const Plan& plan, const HumanOptions& options) {
  Sink none;
  PlanText text(plan, options, none);
  text.count_changes();
  return "Plan: " + text.summary();
}

void render_failed_plan(const HumanOptions& options, std::string& out) {
  std::string text;
  put(text, "Planning failed.", Style::BoldRed, options.color);
  put(text, " The problems below prevented " + options.product + " from completing this plan.", Style::Bold,
      options.color);
  out += '\n';
  put_wrapped(out, text, options.width);
  out += "\n\n";
}

void render_plan(const Plan& plan, const HumanOptions& options, const Sink& sink) {
  PlanText(plan, options, sink).write();
}

void render_plan(const Plan& plan, const HumanOptions& options, std::string& out) {
  render_plan(plan, options, [&](std::string_view text) { out += text; });
}

}  // namespace xplan::render
