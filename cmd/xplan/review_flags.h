// What commands that show a plan say of it besides its changes: the summary, and whether it does what it may
// not.
//
// Who calls it: plan, apply, show.
// Contract: unasked, there is a summary only on a terminal, below a plan of more than 50 changes: what other
// programs read stays as it is.  Thread-safety: one thread.
#pragma once
#include "cmd/xplan/session.h"
#include "core/review/guards.h"
#include "core/review/summary.h"

namespace xplan::cmd {

// A plan, the configuration that it was made from (null: it could not be loaded), and the schemas for what is
// still text in it.
struct Reviewed {
  const Plan& plan;
  const config::Config* config;
  schema::Lookup schemas;
  const config::Config& declared() const;  // nothing where it could not be loaded
  // What others may be shown: with the texts of sensitive values marked wherever they are.
  Plan marked() const;
};

class ReviewFlags {
 public:
  void add(Flags& f);
  // Reads the files that the flags name; false after reporting why not. Before anything else is done.
  // Whether the guards of the CLI configuration file count, too: not for commands that only show something.
  enum class Rules : uint8_t { OfOptions, OfConfigurationToo };
  bool prepare(Session& s, Rules rules);
  // After the plan was shown and before it is carried out. False: it does what -fail-on forbids, which was
  // reported, and the exit code is kGuarded.
  bool permitted(Session& s, const Plan& plan) const;
  static constexpr int kGuarded = 3;
  // The plan as the flags ask for it: its summary, or all of it.
  void show(Session& s, const Reviewed& reviewed) const;
  bool summary() const { return summary_; }
  const review::DataTypes& data_types() const { return data_types_; }
  std::vector<review::Violation> violations(const Plan& plan) const {
    return review::violations(plan, guards_, allowed_, data_types_);
  }
  bool guards_anything() const { return !fail_on_.empty(); }
  // The summary; `digest`: of the plan's effects, empty where it is not known.
  void write_json(Session& s, const Reviewed& reviewed, const std::string& digest) const;

 private:
  void add_configured(Session& s, Rules rules);
  void add_guards(Session& s, const std::vector<std::string>& texts, const std::string& from,
                  std::string_view summary);
  void add_data_types(Session& s, const std::string& path, std::string_view from);
  bool summary_ = false;
  std::string data_types_file_;
  review::DataTypes data_types_;
  std::vector<std::string> fail_on_, allow_;
  std::vector<review::Guard> guards_;
  std::vector<Target> allowed_;
};

}  // namespace xplan::cmd
