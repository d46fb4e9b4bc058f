// A fuzz target: a function that takes any bytes, and where its seeds are.
//
// Who calls it: main.cc, which makes a libFuzzer program of each; replay_test.cc, which runs all of them in
// the ordinary tests. Contract: run() comes back from any bytes, soon; what it finds wrong ends the process
// (must). Seeds are files that run() takes as they are, so what a fuzzer has found can be given to the
// program as well. A target whose files protect their content (seals, checksums) has change_inside(): it
// unpacks a file, lets `change` have one of its parts, and packs it again; nothing when the bytes cannot be
// unpacked. Thread-safety: one thread.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace xplan::fuzz {

using Change = std::function<std::string(std::string part)>;

struct Target {
  void (*run)(std::string_view bytes);
  std::vector<std::string> (*seeds)();
  std::optional<std::string> (*change_inside)(std::string_view bytes, uint32_t random,
                                              const Change& change) = nullptr;
};
extern const Target syntax, configuration, state, journal, msgpack, lock_file, cli_config, plan_file,
    sealed_plan_file, cloud_answer, table_row, envelope, discovery, aws_profiles, google_credentials,
    kubeconfig, server_answers;

void must(bool holds, const char* what);  // ends the process otherwise
// The files below a folder of testdata whose names end so, in the order of their names.
std::vector<std::string> files(std::string_view folder, std::string_view ending);

}  // namespace xplan::fuzz
