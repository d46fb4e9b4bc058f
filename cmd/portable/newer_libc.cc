// Functions of newer C libraries that libstdc++ and libgcc of this machine call, made of what a C library of
// 2020 has (arc4random is in libbsd). Open this when linking the portable program fails for another one.
#include <dlfcn.h>
#include <link.h>

#include <cstdint>

namespace {

// The loaded object that has the address, as the unwinder asks for it.
int holds(dl_phdr_info* info, size_t, void* data) {
  auto* result = static_cast<dl_find_object*>(data);
  const auto address = reinterpret_cast<uintptr_t>(result->dlfo_map_start);
  uintptr_t first = UINTPTR_MAX, last = 0, frames = 0;
  bool inside = false;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& part = info->dlpi_phdr[i];
    const uintptr_t begin = info->dlpi_addr + part.p_vaddr, end = begin + part.p_memsz;
    if (part.p_type == PT_GNU_EH_FRAME) frames = begin;
    if (part.p_type != PT_LOAD) continue;
    inside |= begin <= address && address < end;
    first = begin < first ? begin : first;
    last = end > last ? end : last;
  }
  if (!inside || !frames) return 0;
  *result = {};
  result->dlfo_map_start = reinterpret_cast<void*>(first);
  result->dlfo_map_end = reinterpret_cast<void*>(last);
  result->dlfo_eh_frame = reinterpret_cast<void*>(frames);
  return 1;
}

}  // namespace

extern "C" {

// 2.32: true where there is only one thread. Never, so that counters are always counted for all threads.
char __libc_single_threaded = 0;  // NOLINT: the name is the C library's

// 2.35
int _dl_find_object(void* address, dl_find_object* result) noexcept {  // NOLINT
  result->dlfo_map_start = address;
  return dl_iterate_phdr(holds, result) == 1 ? 0 : -1;
}
}
