// Library: a shared library that is loaded when it is first needed.
//
// Who calls it: core/net/curl_api.h, core/remote/libssh.h, archive_reader.cc and signature.cc, each
// for the one library behind it.
// Contract: load() sets the pointer to the function of that name. Where the library or a function is absent
// the pointer is null and missing() says which, so callers ask missing() once, before their first call.
// Handles are never closed. Cost: loading on first use only.
// In the portable program (XPLAN_PORTABLE, see scripts/package) the libraries are part of the program:
// nothing is loaded, and nothing is missing. Why not linked otherwise: these libraries bring dozens of others
// with them, and loading all of those would cost every command its start-up time, while only few commands use
// them. Thread-safety: construct inside a function-local static.
#pragma once
#include <dlfcn.h>

#include <string>

namespace xplan {

class Library {
 public:
#ifdef XPLAN_PORTABLE
  explicit Library(const char*) {}
#else
  explicit Library(const char* name) : handle_(dlopen(name, RTLD_NOW | RTLD_LOCAL)) {
    if (!handle_) missing_ = name;
  }
#endif
  template <class F>
  void load(F*& function, const char* name) {
    function = handle_ ? reinterpret_cast<F*>(dlsym(handle_, name)) : nullptr;
    if (handle_ && !function && missing_.empty()) missing_ = name;
  }
  // The library or the first function that is not there; empty when all is well.
  const std::string& missing() const {
    return missing_;
  }

 private:
  void* handle_ = nullptr;
  std::string missing_;
};

// Defines a struct with a pointer to each function of a list X(name) …, which its constructor loads; what
// stands behind the list is done then, too.
#define XPLAN_FUNCTION_POINTER(name) \
  decltype(::name)* name = nullptr;  // NOLINT(bugprone-macro-parentheses): a name that is declared
#ifdef XPLAN_PORTABLE
#define XPLAN_LOAD_FUNCTION(name) this->name = &::name;
#else
#define XPLAN_LOAD_FUNCTION(name) library.load(name, #name);
#endif
#define XPLAN_LIBRARY_STRUCT(Name, soname, LIST, ...) \
  struct Name {                                       \
    Library library{soname};                          \
    LIST(XPLAN_FUNCTION_POINTER)                      \
    Name() {                                          \
      LIST(XPLAN_LOAD_FUNCTION)                       \
      __VA_ARGS__                                     \
    }                                                 \
  };

// The struct Api and api(), which loads it at the first call. For one library per file, inside a namespace
// without a name.
#define XPLAN_LIBRARY_API(soname, LIST, ...)           \
  XPLAN_LIBRARY_STRUCT(Api, soname, LIST, __VA_ARGS__) \
  const Api& api() {                                   \
    static const Api a;                                \
    return a;                                          \
  }

}  // namespace xplan
