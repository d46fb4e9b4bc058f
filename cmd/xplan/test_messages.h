// The messages about tests in the JSON stream: what each says, and in which members.
//
// Who calls it: test_json.cc.  Contract: types and members are those that the reference tools read. Cost:
// linear in what is told.  Thread-safety: one thread at a time.
#pragma once
#include "cmd/xplan/test_reports.h"

namespace xplan::cmd {

class TestMessages {
 public:
  TestMessages(Session& s, render::JsonStream& out) : s_(s), out_(out) {}
  void found(const std::vector<const config::TestFile*>& files);
  void file(const config::TestFile& f, std::string_view text, std::string_view progress,
            std::string_view status = {});
  // With `status` at its end, before that with the time since its begin.
  void run(const config::TestFile& f, const config::TestRunBlock& r, std::string_view text,
           std::string_view progress, std::string_view status, int64_t milliseconds = 0);
  void made(const test::Outcome& made);
  void diagnostics(const Diagnostics& diags) { out_.diagnostics(diags, &s_.sources); }
  void left_behind(const config::TestFile& f, const config::TestRunBlock& r, const State& left);
  void interrupted(std::string_view meaning, const test::Ledger::Runs& left);
  void summary(const test::Summary& n);

 private:
  Session& s_;
  render::JsonStream& out_;
};

}  // namespace xplan::cmd
