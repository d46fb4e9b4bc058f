// The commands: one row each in the table of main.cc, one function each in a file of its own.
//
// Who calls it: main.cc; providers.cc for its group.
// Contract: a command parses its own options, does its work and returns the exit code. Everything it has to
// say goes through the session's streams. Commands of a group are declared here only if they have a file of
// their own; the table of the group is beside its run_… function. Thread-safety: called once, from the main
// thread.
#pragma once
#include <string>
#include <vector>

#include "cmd/xplan/session.h"

namespace xplan::cmd {

using Args = std::vector<std::string>;

// Before what is below a branch that others follow, in trees of modules and providers; the reference's bytes.
inline constexpr const char* kUnderBranch = "│\u00a0\u00a0 ";

int run_init(Session& s, const Args& args);
int run_validate(Session& s, const Args& args);
int run_plan(Session& s, const Args& args);
int run_apply(Session& s, const Args& args);
int run_destroy(Session& s, const Args& args);
int run_refresh(Session& s, const Args& args);
int run_show(Session& s, const Args& args);
int run_diff(Session& s, const Args& args);
int run_explain(Session& s, const Args& args);
int run_fmt(Session& s, const Args& args);
int run_graph(Session& s, const Args& args);
int run_output(Session& s, const Args& args);
int run_console(Session& s, const Args& args);
int run_test(Session& s, const Args& args);
int run_version(Session& s, const Args& args);
int run_providers(Session& s, const Args& args);  // schema, and:
int run_providers_lock(Session& s, const Args& args);
int run_providers_mirror(Session& s, const Args& args);
int run_state(Session& s, const Args& args);  // list, show, pull, push, rm, replace-provider, and:
int run_state_journal(Session& s, const Args& args);
int run_state_mv(Session& s, const Args& args);
int run_refactor(Session& s, const Args& args);  // suggest
int run_taint(Session& s, const Args& args);
int run_untaint(Session& s, const Args& args);
int run_import(Session& s, const Args& args);
int run_force_unlock(Session& s, const Args& args);
int run_get(Session& s, const Args& args);
int run_modules(Session& s, const Args& args);
int run_login(Session& s, const Args& args);
int run_logout(Session& s, const Args& args);
int run_metadata(Session& s, const Args& args);   // functions
int run_workspace(Session& s, const Args& args);  // new, list, select, show, delete

}  // namespace xplan::cmd
