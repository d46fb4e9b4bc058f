// A libFuzzer program of one target (FUZZ_TARGET). With --seeds DIR it only writes the target's seeds there.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include "tests/fuzz/target.h"

using namespace xplan;

namespace {

constexpr const fuzz::Target& kTarget = fuzz::FUZZ_TARGET;

}  // namespace

extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t limit);

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
  if (*argc != 3 || std::strcmp((*argv)[1], "--seeds") != 0) return 0;
  int n = 0;
  for (const std::string& seed : kTarget.seeds()) {
    std::ofstream out(std::string((*argv)[2]) + "/seed-" + std::to_string(n++), std::ios::binary);
    if (!(out << seed).flush()) std::perror((*argv)[2]), std::exit(1);
  }
  std::exit(0);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  kTarget.run({reinterpret_cast<const char*>(data), size});
  return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t limit, unsigned random) {
  if (kTarget.change_inside) {
    auto changed =
        kTarget.change_inside({reinterpret_cast<const char*>(data), size}, random, [&](std::string part) {
          const size_t before = part.size();
          part.resize(before + 64);
          part.resize(LLVMFuzzerMutate(reinterpret_cast<uint8_t*>(part.data()), before, part.size()));
          return part;
        });
    if (changed && changed->size() <= limit) return std::copy(changed->begin(), changed->end(), data) - data;
  }
  return LLVMFuzzerMutate(data, size, limit);
}
