// Prints one resource change: the header lines with action and reason, then its diff.
#include <fmt/format.h>

#include "core/base/json_writer.h"
#include "core/value/json.h"
#include "render/change_diff.h"
#include "render/diff_print.h"
#include "render/human_plan.h"

namespace xplan::render {

namespace {

class Header {
 public:
  Header(const ResourceChange& c, ChangeCause cause, const HumanOptions& o, std::string& out)
      : c_(c), cause_(cause), o_(o), out_(out), address_(c.addr.text()) {
    if (!c.deposed.empty()) address_ += " (deposed object " + c.deposed + ")";
  }

  void write() {
    bool moved_said = false;
    switch (c_.change.action) {
      case Action::NoOp:
        moved_said = no_action();
        break;
      case Action::Create:
        subject(), out_ += " will be created";
        break;
      case Action::Read:
        subject(), out_ += " will be read during apply", reason_note();
        break;
      case Action::Update:
        subject();
        out_ += cause_ == ChangeCause::Drift ? " has changed" : " will be updated in-place";
        break;
      case Action::DeleteThenCreate:
      case Action::CreateThenDelete:
        subject(), replacement();
        break;
      case Action::ForgetThenCreate:
        subject(), replacement(),
            out_ += "; the old object will not be destroyed (lifecycle.destroy is false)";
        break;
      case Action::Delete:
        deletion();
        break;
      case Action::Forget:
        forgetting();
        break;
    }
    out_ += '\n';
    if (c_.moved() && !moved_said) note("(moved from " + c_.prev_addr.text() + ")");
    if (c_.change.importing) {
      note(!c_.change.import_identity.is_null()
               ? "(imported by its identity " + to_json(c_.change.import_identity) + ")"
           : c_.change.import_id.empty() ? "(will be imported first)"
                                         : "(imported from \"" + c_.change.import_id + "\")",
           c_.change.action != Action::NoOp);
      if (is_replace(c_.change.action) && destroys(c_.change.action)) {
        out_ += "  # ";
        put(out_, "Warning: this will destroy the imported resource", Style::Yellow, o_.color);
        out_ += '\n';
      }
    }
  }

 private:
  void bold(std::string_view s) { put(out_, s, Style::Bold, o_.color); }
  void alarm(std::string_view s) { put(out_, s, Style::BoldRed, o_.color); }
  void subject(std::string_view lead = "  # ") { bold(std::string(lead) + address_); }
  void note(const std::string& text, bool wanted = true) {
    if (!wanted) return;
    put_hanging(out_, "  # ", text, "  #  ", o_.note_width);
    out_ += '\n';
  }
  void reason(const std::string& text) {
    put_hanging(out_, "\n  # ", "(" + text + ")", "  #  ", o_.note_width);
  }
  bool is_opentofu() const { return o_.product == "OpenTofu"; }

  bool no_action() {
    if (c_.moved()) {
      bold("  # " + c_.prev_addr.text());
      out_ += " has moved to ";
      bold(address_);
      return true;
    }
    subject();
    out_ += " will be imported";
    if (!c_.change.generated_config.empty()) reason("config will be generated");
    return false;
  }
  // The reason's note, with what it names.
  void reason_note() {
    const std::string_view text = facts(c_.reason).note;
    if (text.empty()) return;
    const InstanceKey& key = c_.addr.key;
    std::string quoted;
    if (key.kind == InstanceKey::Kind::String) append_json_string(quoted, key.string.sv());
    const std::string_view repetition = key.none()                           ? "uses count or for_each"
                                        : key.kind == InstanceKey::Kind::Int ? "does not use count"
                                                                             : "does not use for_each";
    reason(fmt::format(fmt::runtime(text), fmt::arg("resource", c_.addr.resource.text()),
                       fmt::arg("module", c_.addr.module.text()), fmt::arg("index", key.text()),
                       fmt::arg("key", quoted), fmt::arg("repetition", repetition),
                       fmt::arg("from", c_.prev_addr.text()), fmt::arg("to", c_.addr.text())));
  }
  void replacement() {
    std::string replaced;
    put(replaced, "replaced", Style::BoldRed, o_.color);
    out_ += ' ' + fmt::format(fmt::runtime(facts(c_.reason).replacement), fmt::arg("replaced", replaced),
                              fmt::arg("it", is_opentofu() ? "it " : ""));
    reason_note();
  }
  void deletion() {
    subject();
    if (cause_ == ChangeCause::Drift) {
      out_ += " has been deleted";
    } else {
      out_ += " will be ";
      alarm("destroyed");
    }
    reason_note();
    leftover();
  }
  void leftover() {
    if (!c_.deposed.empty()) reason("left over from a partially-failed replacement of this instance");
  }
  void forgetting() {
    if (is_opentofu()) {
      subject();
      out_ += " will be removed from the " + o_.product + " state ";
      alarm("but will not be destroyed");
      reason_note();
      return leftover();
    }
    subject(" # ");
    out_ += " will no longer be managed by " + o_.product + ", but will not be destroyed\n # (" +
            (c_.reason == Reason::ForgotBecauseLifecycleDestroyInState
                 ? "destroy = false was set when it was last applied)"
                 : "destroy = false is set in the configuration)");
    leftover();
  }

  const ResourceChange& c_;
  ChangeCause cause_;
  const HumanOptions& o_;
  std::string& out_;
  std::string address_;
};

void action_symbol(std::string& out, Action a, bool color) {
  auto mark = [&](std::string_view s, Style style) { put(out, s, style, color); };
  switch (a) {
    case Action::NoOp:
      out += "   ";
      break;
    case Action::Create:
      out += "  ", mark("+", Style::Green);
      break;
    case Action::Read:
      out += ' ', mark("<=", Style::Cyan);
      break;
    case Action::Update:
      out += "  ", mark("~", Style::Yellow);
      break;
    case Action::DeleteThenCreate:
      mark("-", Style::Red), out += '/', mark("+", Style::Green);
      break;
    case Action::CreateThenDelete:
      mark("+", Style::Green), out += '/', mark("-", Style::Red);
      break;
    case Action::Delete:
      out += "  ", mark("-", Style::Red);
      break;
    case Action::Forget:
      out += ' ', mark(".", Style::Red);
      break;
    case Action::ForgetThenCreate:
      mark(".", Style::Red), out += '/', mark("+", Style::Green);
      break;
  }
}

void put_body(const ResourceChange& c, const Diff& diff, const HumanOptions& options, std::string& out,
              Arena& arena) {
  PrintOptions print;
  print.color = options.color;
  print.show_sensitive = options.show_sensitive;
  print.style = options.diff;
  print.width = options.width;
  print.show_unchanged = c.change.importing;
  if (c.change.action == Action::Forget) print.no_null = true;
  action_symbol(out, c.change.action, options.color);
  out += c.addr.resource.mode == Mode::Managed ? " resource \"" : " data \"";
  out += c.addr.resource.type.sv();
  out += "\" \"";
  out += c.addr.resource.name.sv();
  out += "\" ";
  print_diff(out, diff, 0, print, arena);
  out += '\n';
}

std::string_view deferred_because(const DeferredChange& d) {
  switch (d.reason) {
    case DeferredReason::InstanceCountUnknown:
      return "the number of instances is not known yet";
    case DeferredReason::ResourceConfigUnknown:
      return d.change.change.importing ? "the object to import is not known yet"
                                       : "the provider requires values that are not known yet";
    case DeferredReason::ProviderConfigUnknown:
      return "its provider configuration is not known yet";
    case DeferredReason::AbsentPrereq:
      return "the provider requires something that does not exist yet";
    case DeferredReason::DeferredPrereq:
      return "it depends on something that is deferred";
  }
  return "";
}

}  // namespace

const Diff* change_diff(const ResourceChange& c, const std::vector<Path>* relevant, Arena& arena,
                        DiffStyle style) {
  // A forgotten object stays as it is.
  const Value& after = c.change.action == Action::Forget ? c.change.before : c.change.after;
  return Differ(arena, style).resource(c.change.before, after, c.schema->block, c.required_replace, relevant);
}

bool render_change(const ResourceChange& c, ChangeCause cause, const HumanOptions& options,
                   std::string& out) {
  if (c.change.action == Action::NoOp && !c.moved() && !c.change.importing) return false;
  Arena arena;
  return render_change(c, *change_diff(c, nullptr, arena, options.diff), cause, options, out, arena);
}

bool render_change(const ResourceChange& c, const Diff& diff, ChangeCause cause, const HumanOptions& options,
                   std::string& out, Arena& arena) {
  if (c.change.action == Action::NoOp && !c.moved() && !c.change.importing) return false;
  Header(c, cause, options, out).write();
  if (options.why && cause == ChangeCause::Proposed) options.why(c, out);
  put_body(c, diff, options, out, arena);
  return true;
}

void render_deferred(const DeferredChange& d, const HumanOptions& options, std::string& out, Arena& arena) {
  const ResourceChange& c = d.change;
  put(out, "  # " + c.addr.text() + (c.deposed.empty() ? "" : " (deposed object " + c.deposed + ")"),
      Style::Bold, options.color);
  out += " is deferred\n";
  put_hanging(out, "  # ", "(" + std::string(deferred_because(d)) + ")", "  #  ", options.note_width);
  out += '\n';
  if (c.moved()) out += "  # (moved from " + c.prev_addr.text() + ")\n";
  if (c.change.importing)
    out += !c.change.import_identity.is_null()
               ? "  # (to be imported by its identity " + to_json(c.change.import_identity) + ")\n"
           : c.change.import_id.empty() ? "  # (to be imported)\n"
                                        : "  # (to be imported from \"" + c.change.import_id + "\")\n";
  if (c.change.action == Action::NoOp) return;
  put_body(c, *change_diff(c, nullptr, arena, options.diff), options, out, arena);
}

}  // namespace xplan::render
