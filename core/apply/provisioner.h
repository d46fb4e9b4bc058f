// ProvisionerCall: one provisioner of one object that is about to run.
//
// Who calls it: provision.cc makes them; the provisioners of this folder carry them out.
// Contract: a provisioner returns why it failed, as sentences, or nothing. Lines are told while it runs;
// those that may hold a secret are replaced, and then no word of the arguments stands in the reason either.
// Cost: references.  Thread-safety: one thread; many calls may run concurrently.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "core/apply/apply_run.h"
#include "core/plan/secrets.h"

namespace xplan::applying {

struct ProvisionerCall {
  ApplyRun& run;
  const config::Provisioner& block;
  const AbsInstance& addr;
  Value arguments;   // all known, without marks
  Value connection;  // likewise; null: there is none
  Value marked_connection;
  Secrets secrets;  // of the connection; lines are told without them
  Marks marks;      // of the arguments
  bool hides() const { return marks != 0; }
  void tell(std::string_view line) const;
  // An argument that is a string; null is an empty one.
  std::string word(std::string_view name) const;
};

// The end of what a command printed, for a message.
class Tail {
 public:
  void add(std::string_view line);
  std::string text() const { return kept_.empty() ? "" : " Output:\n" + kept_; }

 private:
  std::string kept_;
};

std::string run_remote_exec(const ProvisionerCall& c);  // remote_provisioners.cc
std::string run_file(const ProvisionerCall& c);

}  // namespace xplan::applying
