// Reads and writes "check_results" in state files: the last status of each check block, precondition and
// postcondition, by object.
#include "core/state/check_results.h"

namespace xplan {
namespace {

constexpr std::pair<CheckKind, std::string_view> kKinds[] = {{CheckKind::Resource, "resource"},
                                                             {CheckKind::Output, "output"},
                                                             {CheckKind::Check, "check"},
                                                             {CheckKind::Variable, "var"}};
constexpr std::pair<CheckStatus, std::string_view> kStatuses[] = {{CheckStatus::Unknown, "unknown"},
                                                                  {CheckStatus::Pass, "pass"},
                                                                  {CheckStatus::Fail, "fail"},
                                                                  {CheckStatus::Error, "error"}};

CheckStatus status_of(std::string_view text) {
  for (auto& [status, name] : kStatuses)
    if (name == text) return status;
  return CheckStatus::Unknown;
}
template <class T, class Table>
std::string_view name_of(T value, const Table& table) {
  for (auto& [v, name] : table)
    if (v == value) return name;
  return {};
}

// module.a.check.c, module.a.output.o, module.a.var.v: the module path and the last name.
void split_address(CheckResult& r) {
  if (r.kind == CheckKind::Resource) {
    if (auto a = parse_config_resource(r.config_addr)) r.resource = *a, r.module = a->module;
    return;
  }
  std::string_view rest = r.config_addr;
  while (rest.starts_with("module.")) {
    size_t dot = rest.find('.', 7);
    if (dot == std::string_view::npos) return;
    r.module = r.module.child(Symbol(rest.substr(7, dot - 7)));
    rest.remove_prefix(dot + 1);
  }
  size_t dot = rest.find('.');
  if (dot != std::string_view::npos) r.name = Symbol(rest.substr(dot + 1));
}

}  // namespace

std::vector<CheckResult> read_check_results(JsonScan& scan) {
  std::vector<CheckResult> out;
  if (!scan.begin_array()) return out;
  while (scan.item()) {
    CheckResult r;
    std::string kind;
    r.expanded = false;
    std::string_view member;
    if (!scan.begin_object()) break;
    while (scan.member(member)) {
      if (member == "object_kind")
        kind = scan.string();
      else if (member == "config_addr")
        r.config_addr = scan.string();
      else if (member == "status")
        r.status = status_of(scan.string());
      else if (member == "objects" && !scan.take_null() && scan.begin_array()) {
        r.expanded = true;
        while (scan.item()) {
          CheckObject o;
          if (!scan.begin_object()) break;
          while (scan.member(member)) {
            if (member == "object_addr")
              o.object_addr = scan.string();
            else if (member == "status")
              o.status = status_of(scan.string());
            else if (member == "failure_messages" && !scan.take_null() && scan.begin_array()) {
              while (scan.item()) o.failure_messages.emplace_back(scan.string());
            } else if (member != "failure_messages")
              scan.raw();
          }
          r.objects.push_back(std::move(o));
        }
      } else if (member != "objects")
        scan.raw();
    }
    for (auto& [k, name] : kKinds) {
      if (name != kind) continue;
      r.kind = k;
      split_address(r);
      out.push_back(std::move(r));
      break;
    }
  }
  return out;
}

void write_check_results(JsonWriter& w, const std::optional<std::vector<CheckResult>>& checks) {
  if (!checks || checks->empty()) return w.null();
  w.begin_array();
  for (const CheckResult& r : *checks) {
    w.begin_object();
    w.member("object_kind", name_of(r.kind, kKinds));
    w.member("config_addr", r.config_addr);
    w.member("status", name_of(r.status, kStatuses));
    w.key("objects");
    if (!r.expanded || r.objects.empty()) {
      w.null();
    } else {
      w.begin_array();
      for (const CheckObject& o : r.objects) {
        w.begin_object();
        w.member("object_addr", o.object_addr);
        w.member("status", name_of(o.status, kStatuses));
        if (!o.failure_messages.empty()) {
          w.key("failure_messages");
          w.begin_array();
          for (const std::string& m : o.failure_messages) w.string(m);
          w.end_array();
        }
        w.end_object();
      }
      w.end_array();
    }
    w.end_object();
  }
  w.end_array();
}

}  // namespace xplan
