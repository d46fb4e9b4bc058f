// A step of a GitHub workflow, whose runner takes lines of the output for commands.
//
// Who calls it: plan, show and apply with -github.
// Contract: while it lives, what is printed commands nothing, whatever values and messages contain; only the
// annotations made here do, of findings and of diagnostics when they are printed. The step summary is
// appended to, within what GitHub takes. Cost: that of the annotations.  Thread-safety: one thread.
#pragma once
#include <string>

#include "cmd/xplan/session.h"
#include "core/review/review.h"
#include "render/github/annotations.h"

namespace xplan::cmd {

class WorkflowCommands {
 public:
  WorkflowCommands(Session& s, std::string directory);
  ~WorkflowCommands();
  WorkflowCommands(const WorkflowCommands&) = delete;
  WorkflowCommands& operator=(const WorkflowCommands&) = delete;
  void annotate(const review::Review& review, render::Checks checks);
  // To the file that GITHUB_STEP_SUMMARY names, if it does; what fails is reported.
  void append_summary(const review::Review& review);

 private:
  void command(const std::string& lines);
  Session& s_;
  const std::string directory_;  // of the working directory, from the root of the repository
  std::string token_;
};

// The working directory as seen from the root of its repository; "" if it is the root or in none.
std::string repository_directory(const std::string& cwd);

}  // namespace xplan::cmd
