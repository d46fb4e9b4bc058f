// A plan as documents for pipelines and for those who review it there: each form once on the command line,
// all of them from one run.
//
// Who calls it: plan, apply, destroy, show.
// Contract: files are written as a whole or not at all, over older documents, but never over states,
// configurations or plans. Only the plan JSON contains sensitive values, as "show -json" prints them; its
// file is readable by its owner alone. In the others, the known text of such a value is hidden where it has
// lost its mark, too. A new form is a row of kForms.  Cost: that of the forms asked for.
// Thread-safety: one thread.
#pragma once
#include <array>
#include <memory>
#include <string>

#include "cmd/xplan/review_flags.h"
#include "cmd/xplan/workflow_commands.h"

namespace xplan::cmd {

class Documents {
 public:
  enum class Printing : unsigned char { None, Possible };
  // Possible: a form can also be printed instead of the plan: "show -markdown".
  void add(Flags& f, Printing printing = Printing::None);
  // False after reporting what is wrong with the options.
  bool prepare(Session& s);
  bool wanted() const;  // whether write() has anything to do
  bool printed() const { return printed_ >= 0; }
  // Writes what was asked for; false after reporting what failed.
  bool write(Session& s, const Reviewed& reviewed, const ReviewFlags& flags);
  // Where no plan could be made: what was reported, in every form but the plan JSON.
  void write_failed(Session& s, const ReviewFlags& flags);

 private:
  static constexpr size_t kCount = 7;
  std::array<std::string, kCount> files_;
  std::array<bool, kCount> print_{};
  int printed_ = -1;
  int max_bytes_ = -1;  // not set
  bool github_ = false, of_saved_plan_ = false;
  std::unique_ptr<WorkflowCommands> workflow_;
};

}  // namespace xplan::cmd
