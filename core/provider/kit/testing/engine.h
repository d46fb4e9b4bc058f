// Engine: the program that a harness works with, in a directory of its own.
//
// Who calls it: harness.cc. Contract: commands get a clean environment, with the provider to attach to, and
// no terminal. The directory goes with it. Cost: a process a command. Thread-safety: one thread.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/value/value.h"

namespace xplan::kit::testing {

class Engine {
 public:
  Engine(std::string program, std::string reattach);
  ~Engine();
  Engine(const Engine&) = delete;
  struct Ended {
    int code = -1;
    std::string output;  // of both streams
  };
  Ended run(std::vector<std::string> arguments);
  // What `show -json` says of the state, or of a plan; nothing, and a problem, when it says nothing of use.
  std::optional<Value> show(const std::string& plan_file, std::string& problem);
  Result<void> write(const std::string& name, const std::string& text);

 private:
  std::string program_, reattach_, dir_;
};

// {"address: action", …} of a list of changes in a plan, sorted. A no-op is left out.
std::vector<std::string> actions_of(const Value& plan, std::string_view list);
// The JSON of an attribute in a state, by "address.attribute.…"; "none" where there is none.
std::string attribute_text(const Value& state, const std::string& path);

}  // namespace xplan::kit::testing
