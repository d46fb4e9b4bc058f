// State files: what is read is written and read again as the same. Journals: what is read is folded into a
// state and written.
#include "core/state/journal.h"
#include "core/state/journal_line.h"
#include "core/state/state.h"
#include "tests/fuzz/target.h"

namespace xplan::fuzz {
namespace {

// Nobody knows the types: objects are written by those of their values.
class NoTypes : public TypeSource {
  std::optional<Type> type_of(const ProviderAddr&, Mode, Symbol) const override { return {}; }
};

void use(const State& s) {
  const NoTypes types;
  const std::string text = write_state(s, types);
  Result<State> again = read_state(std::make_shared<const std::string>(text));
  must(again.ok(), "a state that is written can be read");
  must(same_content(s, *again, types), "a state that is read again is the same");
  must(write_state(*again, types) == text, "a state that is read again is written alike");
}

void run_state(std::string_view bytes) {
  if (Result<State> s = read_state(std::make_shared<const std::string>(bytes))) use(*s);
}

std::vector<std::string> state_seeds() {
  std::vector<std::string> out = files("state", ".tfstate");
  for (std::string& text : files("oracle", ".tfstate")) out.push_back(std::move(text));
  return out;
}

void run_journal(std::string_view bytes) {
  Result<JournalContent> journal = read_journal(std::make_shared<const std::string>(bytes));
  if (!journal) return;
  State s;
  const FoldReport report = fold_journal(s, journal->records);
  Diagnostics diags;
  report_fold(report, journal->damaged, diags);
  use(s);
}

// One record of each kind, as apply writes them.
constexpr const char* kRecords[] = {
    R"({"kind":"begin","journal":1,"lineage":"l","serial":"1"})",
    R"({"kind":"intent","address":["","managed","terraform_data","a"],"action":"create","provider":"provider[\"terraform.io/builtin/terraform\"]"})",
    R"({"kind":"result","address":["","managed","terraform_data","a"],"action":"create","provider":"provider[\"terraform.io/builtin/terraform\"]","instance":{"schema_version":0,"attributes":{"id":"x","input":null,"output":null,"triggers_replace":null},"sensitive_attributes":[],"dependencies":["terraform_data.b"]}})",
    R"({"kind":"depose","address":["","managed","terraform_data","a"],"deposed":"0a1b2c3d"})",
    R"({"kind":"restore","address":["","managed","terraform_data","a"],"deposed":"0a1b2c3d"})",
    R"({"kind":"move","moves":[[["","managed","terraform_data","a"],["module.m[\"k\"]","managed","terraform_data","b",0]]]})",
    R"({"kind":"intent","address":["module.m","managed","terraform_data","c","k"],"action":"delete","provider":"provider[\"terraform.io/builtin/terraform\"]"})",
    R"({"kind":"remove","address":["module.m","managed","terraform_data","c","k"]})",
};

std::string packed(const std::vector<std::string>& records) {
  std::string out;
  for (const std::string& r : records) out += journal_line(r);
  return out;
}

std::vector<std::string> journal_seeds() {
  return {packed({std::begin(kRecords), std::end(kRecords)})};
}

// Lines without their lengths and checksums: LENGTH CHECKSUM JSON, each of the first two eight digits.
std::optional<std::string> change_record(std::string_view bytes, uint32_t random, const Change& change) {
  std::vector<std::string> records;
  for (size_t begin = 0; begin < bytes.size();) {
    const size_t end = std::min(bytes.find('\n', begin), bytes.size());
    if (end - begin > 18) records.emplace_back(bytes.substr(begin + 18, end - begin - 18));
    begin = end + 1;
  }
  if (records.empty()) return {};
  std::string& r = records[random % records.size()];
  r = change(std::move(r));
  return packed(records);
}

}  // namespace

const Target state = {run_state, state_seeds};
const Target journal = {run_journal, journal_seeds, change_record};

}  // namespace xplan::fuzz
