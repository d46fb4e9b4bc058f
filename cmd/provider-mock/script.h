// Scripts: what the mock does besides answering a call: wait, report problems, die, answer wrongly.
//
// Who calls it: mock_provider.cc, around every call; schema_file.cc reads them. The form is described in
// testdata/providers/README.md.
// Contract: a script applies when its conditions hold; of a list all that apply are carried out, in order.
// Cost: nothing without scripts.  Thread-safety: counters are atomic; the rest is immutable.
#pragma once
#include <atomic>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/json_reader.h"
#include "core/provider/kit/provider.h"

namespace xplan::mock {

// A change of an answer's value: at a path, to a JSON value, to an unknown, or to null.
struct Override {
  Path path;
  bool unknown = false;
  const JsonNode* value = nullptr;
};
struct Script {
  // Conditions.
  std::string on;                                      // "create", "update", "delete", or empty: any
  std::vector<std::pair<Path, const JsonNode*>> when;  // the subject has these values
  int64_t skip = 0, times = -1;                        // leaves out the first calls; applies to so many
  // Effects.
  int64_t delay_ms = 0;
  bool deaf = false;  // a stop does not end the delay
  ProviderDiags diags;
  std::string crash;  // "before" or "after" the side effect
  bool partial = false, null = false, wrong_type = false, malformed = false, legacy_type_system = false;
  Deferral deferred = Deferral::None;
  std::vector<Override> overrides;
  std::vector<Path> requires_replace;
  std::string private_data;
  bool has_private = false;
  const JsonNode* identity = nullptr;  // of managed resources: the answer's
  int64_t renew_in_s = -1;             // of ephemeral resources: from the answer to the renewal

  std::string place;  // in the schema file: names the counter
  std::shared_ptr<std::atomic<int64_t>> calls = std::make_shared<std::atomic<int64_t>>(0);
};
using Scripts = std::vector<Script>;

// One object or an array of them. Problems of the file are appended to `errors`, each a sentence.
Scripts read_scripts(const JsonNode& node, const std::string& where, std::vector<std::string>& errors);
// "rule.0.name": names, and numbers for elements of lists. Quoted by the value alone: a number after a map is
// taken as a key when the value is read.
Path dotted_path(std::string_view text);

// Those that apply to this call; counts it: in the directory XPLAN_MOCK_DIR when there is one (so that calls
// of plan and apply, which are different processes, are counted together), else in this process.
std::vector<const Script*> matching(const Scripts& scripts, std::string_view on, const Value& subject);
void delay(const std::vector<const Script*>& scripts);
void cut_delays_short();  // those under way and those to come
void crash(const std::vector<const Script*>& scripts, std::string_view when);
void add_diags(const std::vector<const Script*>& scripts, ProviderDiags& out);
bool has_error(const std::vector<const Script*>& scripts);
// The answer's value after all overrides.
Value changed(const std::vector<const Script*>& scripts, const Value& v, Type type);

}  // namespace xplan::mock
