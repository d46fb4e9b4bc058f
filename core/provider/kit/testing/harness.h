// Harness: tests of a provider through a real engine, step by step, without network and without a plugin
// program.
//
// Who calls it: tests of providers, in whatever framework: CHECK(run_steps(provider, "notes", {…}) == "").
// Contract: the provider is served in this process, so it can talk to a fake of its remote system that the
// test holds, and debuggers stop in it. An engine (xplan, or the other programs that have its commands)
// attaches to it, and works in a directory of its own. Each step writes its configuration, plans, compares,
// applies, compares, and plans again, which must give no changes. At the end what there is is destroyed. The
// result names each problem with its step; after the first step with a problem the others are left out. Cost:
// some runs of the engine a step. Thread-safety: one thread.
#pragma once
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "core/provider/provider.h"

namespace xplan::kit::testing {

struct Step {
  std::string about;
  std::string config = {};            // resources, data sources …; empty: that of the step before
  std::function<void()> before = {};  // what others do to the remote system: drift
  std::vector<std::string> plan =
      {};  // "notes_note.a: create" (or update, replace, delete, read, forget); in any order
  std::vector<std::string> drift = {};  // the same, of what has changed outside
  std::vector<std::pair<std::string, std::string>> state =
      {};                  // {"notes_note.a.color", "\"red\""}: JSON afterwards
  std::string error = {};  // RE2: what planning or applying says, whatever the line breaks
  std::pair<std::string, std::string> import = {};  // {address, ID}: first of all
  bool destroy = false;                             // the plan is that of a destroy
  bool only_plan = false;                           // nothing is applied
  bool still_changes = false;                       // after the apply, a plan has changes again
};

struct Options {
  std::string program = {};  // the engine; empty: $XPLAN_TEST_PROGRAM, or else "xplan" in PATH
  std::string source = {};   // of required_providers; empty: "registry.terraform.io/test/NAME"
  int protocol = 6;
};

std::string run_steps(xplan::Provider& provider, const std::string& name, const std::vector<Step>& steps,
                      const Options& options = {});

}  // namespace xplan::kit::testing
