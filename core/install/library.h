// Library: a shared library that is loaded when it is first needed.
//
// Who calls it: http.cc, archive_reader.cc and signature.cc, each for the one library behind it, through
// XPLAN_LIBRARY_API.
// Contract: load() sets the pointer to the function of that name. Where the library or a function is absent
// the pointer is null and missing() says which, so callers ask missing() once, before their first call.
// Handles are never closed. Cost: loading on first use only.
// Why not linked: these libraries bring dozens of others with them, and loading all of those would cost every
// command its start-up time, while only installation uses them.
// Thread-safety: construct inside a function-local static.
#pragma once
#include <dlfcn.h>

#include <string>

namespace xplan::install {

class Library {
 public:
  explicit Library(const char* name) : handle_(dlopen(name, RTLD_NOW | RTLD_LOCAL)) {
    if (!handle_) missing_ = name;
  }
  template <class F>
  void load(F*& function, const char* name) {
    function = handle_ ? reinterpret_cast<F*>(dlsym(handle_, name)) : nullptr;
    if (handle_ && !function && missing_.empty()) missing_ = name;
  }
  // The library or the first function that is not there; empty when all is well.
  const std::string& missing() const { return missing_; }

 private:
  void* handle_;
  std::string missing_;
};

// Defines api(), which gives a struct with a pointer to each function of a list X(name) …, loaded at the
// first call; what stands behind the list is done then, too. For one library per file, inside a namespace
// without a name.
#define XPLAN_FUNCTION_POINTER(name) decltype(::name)* name = nullptr;
#define XPLAN_LOAD_FUNCTION(name) library.load(name, #name);
#define XPLAN_LIBRARY_API(soname, LIST, ...) \
  struct Api {                               \
    Library library{soname};                 \
    LIST(XPLAN_FUNCTION_POINTER)             \
    Api() {                                  \
      LIST(XPLAN_LOAD_FUNCTION)              \
      __VA_ARGS__                            \
    }                                        \
  };                                         \
  const Api& api() {                         \
    static const Api a;                      \
    return a;                                \
  }

}  // namespace xplan::install
