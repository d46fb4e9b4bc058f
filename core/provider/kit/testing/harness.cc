// The course of a test: steps, each planned, compared, applied and compared again.
#include "core/provider/kit/testing/harness.h"

#include <fmt/format.h>
#include <re2/re2.h>
#include <algorithm>
#include <cstdlib>

#include "core/provider/kit/server/attach.h"
#include "core/provider/kit/testing/engine.h"

namespace xplan::kit::testing {
namespace {

std::string listed(const std::vector<std::string>& lines) {
  return lines.empty() ? "nothing" : fmt::format("{}", fmt::join(lines, ", "));
}

// Messages without the frame and the line breaks that a terminal's width gives them.
std::string unwrapped(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text.substr(i).starts_with("\u2502")) {
      i += 2;
      continue;
    }
    const char c = text[i] == '\n' ? ' ' : text[i];
    if (c != ' ' || (!out.empty() && out.back() != ' ')) out += c;
  }
  return out;
}

class Course {
 public:
  Course(Engine& engine, std::string head) : engine_(engine), head_(std::move(head)) {}

  // The problem of the step; empty: none.
  std::string step(const Step& s) {
    if (s.before) s.before();
    if (!s.config.empty()) {
      if (Result<void> done = engine_.write("main.tf", head_ + s.config); !done) return done.error().message;
    }
    if (!std::exchange(prepared_, true))
      if (Engine::Ended e = engine_.run({"init", "-no-color", "-input=false"}); e.code)
        return "init: " + e.output;
    if (!s.import.first.empty()) {
      Engine::Ended e = engine_.run({"import", "-no-color", "-input=false", s.import.first, s.import.second});
      if (e.code) return failed("import", e, s.error);
    }
    std::vector<std::string> plan = {"plan", "-no-color", "-input=false", "-out=plan.bin"};
    if (s.destroy) plan.push_back("-destroy");
    if (Engine::Ended e = engine_.run(plan); e.code) return failed("plan", e, s.error);
    if (std::string problem = compare_plan(s); !problem.empty()) return problem;
    if (s.only_plan) return missed(s.error);
    if (Engine::Ended e = engine_.run({"apply", "-no-color", "-input=false", "plan.bin"}); e.code)
      return failed("apply", e, s.error);
    if (!s.error.empty()) return missed(s.error);
    if (std::string problem = compare_state(s); !problem.empty() || s.destroy) return problem;
    Engine::Ended again = engine_.run({"plan", "-no-color", "-input=false", "-detailed-exitcode"});
    if (again.code != (s.still_changes ? 2 : 0))
      return "the plan after the apply has changes:\n" + again.output;
    return "";
  }
  std::string end() {
    Engine::Ended e = engine_.run({"destroy", "-no-color", "-input=false", "-auto-approve"});
    return e.code ? "destroy: " + e.output : "";
  }

 private:
  static std::string failed(const char* command, const Engine::Ended& e, const std::string& expected) {
    if (!expected.empty() && RE2::PartialMatch(unwrapped(e.output), expected)) return "";
    return fmt::format("{} failed{}:\n{}", command,
                       expected.empty() ? "" : ", but said nothing like \"" + expected + "\"", e.output);
  }
  static std::string missed(const std::string& error) {
    return error.empty() ? "" : "nothing failed, but \"" + error + "\" was expected";
  }
  std::string compare_plan(const Step& s) {
    std::string problem;
    std::optional<Value> plan = engine_.show("plan.bin", problem);
    if (!plan) return problem;
    for (const auto& [list, wanted] :
         {std::pair("resource_changes", s.plan), std::pair("resource_drift", s.drift)}) {
      std::vector<std::string> expected = wanted, is = actions_of(*plan, list);
      std::sort(expected.begin(), expected.end());
      if (is != expected && !(s.error.size() && expected.empty()))
        return fmt::format("{}: {} instead of {}", list, listed(is), listed(expected));
    }
    return "";
  }
  std::string compare_state(const Step& s) {
    if (s.state.empty()) return "";
    std::string problem;
    std::optional<Value> state = engine_.show("", problem);
    if (!state) return problem;
    for (const auto& [path, expected] : s.state)
      if (std::string is = attribute_text(*state, path); is != expected)
        return fmt::format("state: {} is {} instead of {}", path, is, expected);
    return "";
  }

  Engine& engine_;
  std::string head_;
  bool prepared_ = false;
};

}  // namespace

std::string run_steps(xplan::Provider& provider, const std::string& name, const std::vector<Step>& steps,
                      const Options& options) {
  const char* given = getenv("XPLAN_TEST_PROGRAM");
  const std::string program = !options.program.empty() ? options.program : given ? given : "xplan";
  const std::string source = options.source.empty() ? "registry.terraform.io/test/" + name : options.source;
  Result<std::unique_ptr<Attachable>> served = Attachable::start(provider, options.protocol);
  if (!served) return served.error().message;
  Engine engine(program, (*served)->reattach(source));
  if (Result<void> done = engine.write("cli.tfrc", ""); !done) return done.error().message;
  Course course(
      engine, fmt::format("terraform {{\n  required_providers {{\n    {} = {{ source = \"{}\" }}\n  }}\n}}\n",
                          name, source));
  std::string problems;
  for (size_t i = 0; i < steps.size() && problems.empty(); ++i)
    if (std::string problem = course.step(steps[i]); !problem.empty())
      problems += fmt::format("step {} ({}): {}\n", i + 1, steps[i].about, problem);
  if (std::string problem = course.end(); !problem.empty()) problems += problem;
  return problems;
}

}  // namespace xplan::kit::testing
