// Writes SARIF: the tool with its rules, the results, and how many were left out.
#include "render/sarif/sarif.h"

#include <fmt/format.h>

#include "core/base/digest.h"
#include "core/base/terminal.h"
#include "render/finding_text.h"
#include "render/places.h"

namespace xplan::render {
namespace {

using review::Finding;
using review::Level;
using review::Rule;

std::string_view name_of(Level level) {
  switch (level) {
    case Level::Error:
      return "error";
    case Level::Warning:
      return "warning";
    case Level::Note:
      return "note";
  }
  return "none";
}

// A relative reference as URIs write it.
std::string uri(std::string_view path) {
  std::string out;
  for (const char c : path) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       std::string_view("-._~/").find(c) != std::string_view::npos;
    if (plain)
      out += c;
    else
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return out;
}

class Log {
 public:
  Log(const review::Review& review, const SourceTable& sources, const SarifOptions& o, JsonWriter& w)
      : review_(review), sources_(sources), o_(o), w_(w) {}

  void write() {
    const std::vector<Finding> all = findings(review_);
    w_.begin_object();
    w_.member("$schema", "https://json.schemastore.org/sarif-2.1.0.json");
    w_.member("version", "2.1.0");
    w_.key("runs");
    w_.begin_array();
    w_.begin_object();
    tool();
    invocation(all.size());
    w_.key("results");
    w_.begin_array();
    for (size_t i = 0; i < all.size() && i < kMostResults; ++i) result(all[i]);
    w_.end_array();
    w_.end_object();
    w_.end_array();
    w_.end_object();
  }

 private:
  void text(std::string_view key, std::string_view text) {
    w_.key(key);
    w_.begin_object();
    w_.member("text", text);
    w_.end_object();
  }

  void tool() {
    w_.key("tool");
    w_.begin_object();
    w_.key("driver");
    w_.begin_object();
    w_.member("name", "xplan");
    w_.member("version", o_.version);
    w_.key("rules");
    w_.begin_array();
    for (size_t i = 0; i < review::kRules; ++i) {
      const review::RuleFacts f = facts(static_cast<Rule>(i));
      w_.begin_object();
      w_.member("id", f.id);
      text("shortDescription", f.title);
      text("fullDescription", f.help);
      text("help", f.help);
      w_.key("defaultConfiguration");
      w_.begin_object();
      w_.member("level", name_of(f.level));
      w_.end_object();
      w_.end_object();
    }
    w_.end_array();
    w_.end_object();
    w_.end_object();
  }

  void invocation(size_t found) {
    w_.key("invocations");
    w_.begin_array();
    w_.begin_object();
    w_.member("executionSuccessful", !review_.plan.errored);
    w_.key("toolExecutionNotifications");
    w_.begin_array();
    if (found > kMostResults) {
      w_.begin_object();
      w_.member("level", "warning");
      text("message", fmt::format("{} results are left out.", found - kMostResults));
      w_.end_object();
    }
    w_.end_array();
    w_.end_object();
    w_.end_array();
  }

  void result(const Finding& f) {
    const review::RuleFacts rule = facts(f.rule);
    w_.begin_object();
    w_.member("ruleId", rule.id);
    w_.member("ruleIndex", static_cast<int64_t>(f.rule));
    w_.member("level", name_of(rule.level));
    text("message", finding_text(f));
    location(f);
    w_.key("partialFingerprints");
    w_.begin_object();
    w_.member("xplanFinding/v1", sha256_hex(std::string(rule.id) + "\n" + f.identity).substr(0, 32));
    w_.end_object();
    w_.end_object();
  }

  // Services refuse results without a file: what is nowhere is at the beginning.
  void location(const Finding& f) {
    const FilePlace p =
        file_place(sources_, f.place.valid() ? f.place : review_.places.anywhere(), o_.directory);
    w_.key("locations");
    w_.begin_array();
    w_.begin_object();
    if (!p.file.empty()) {
      w_.key("physicalLocation");
      w_.begin_object();
      w_.key("artifactLocation");
      w_.begin_object();
      w_.member("uri", uri(p.file));
      if (!p.file.starts_with('/')) w_.member("uriBaseId", "%SRCROOT%");
      w_.end_object();
      w_.key("region");
      w_.begin_object();
      w_.member("startLine", p.line);
      w_.member("endLine", p.end_line);
      w_.end_object();
      w_.end_object();
    }
    w_.key("logicalLocations");
    w_.begin_array();
    w_.begin_object();
    w_.member("fullyQualifiedName", for_terminal(f.subject));
    w_.end_object();
    w_.end_array();
    w_.end_object();
    w_.end_array();
  }

  const review::Review& review_;
  const SourceTable& sources_;
  const SarifOptions& o_;
  JsonWriter& w_;
};

}  // namespace

void write_sarif(const review::Review& review, const SourceTable& sources, const SarifOptions& options,
                 JsonWriter& w) {
  Log(review, sources, options, w).write();
}

}  // namespace xplan::render
