// What the tests of state stores share: a working directory, objects, runs of the program.
#pragma once
#include <catch2/catch.hpp>

#include "core/base/fs.h"
#include "core/state/journal.h"
#include "core/state/store.h"
#include "tests/support/folder.h"

namespace xplan::store_test {

inline const NoTypes no_types;
using Kind_ = JournalRecord::Kind;

// A directory of its own, made the working directory.
struct WorkFolder : test::Folder {
  std::filesystem::path before = std::filesystem::current_path();
  WorkFolder() : Folder(true) { std::filesystem::current_path(path); }
  ~WorkFolder() { std::filesystem::current_path(before); }
};

inline std::string text_of(const std::string& path) {
  auto r = real_fs().read(path);
  return r.ok() ? *r : "(" + r.error().message + ")";
}
inline void put(const std::string& path, const std::string& text) {
  REQUIRE(write_atomic(path, text).ok());
}

inline AbsInstance at(const std::string& s) {
  return parse_abs_instance(s).value();  // threads call it, for which assertions are not made
}
inline ProviderConfigAddr provider() {
  return *parse_provider_config_addr("provider[\"hashicorp/t\"]");
}
inline ObjectPtr object(const std::string& id) {
  auto o = std::make_shared<Object>();
  std::string plain;
  for (char c : id)
    if (c != '"') plain += c;
  o->buffer = std::make_shared<const std::string>("{\"id\":\"" + plain + "\"}");
  o->attributes_json = *o->buffer;
  return o;
}
inline std::string id_of(const State& s, const std::string& addr) {
  const InstanceState* i = s.find(at(addr));
  return i && i->current ? std::string(i->current->attributes_json) : "none";
}
inline std::string shown(const State& s) {  // one line each, as far as the tests need it
  std::string out;
  for (auto& [r, rs] : s.resources)
    for (auto& [k, i] : rs.instances) {
      AbsInstance a{r.module, r.resource, k};
      auto line = [&](const std::string& what, const Object& o) {
        std::string json;
        for (char c : o.attributes_json)
          if (c != ' ' && c != '\n') json += c;
        out += a.text() + what + "=" + json + ";";
      };
      if (i.current) line("", *i.current);
      for (auto& [d, o] : i.deposed) line("/" + d, *o);
    }
  return out;
}

struct Run {  // one run of the program on terraform.tfstate
  std::unique_ptr<StateStore> store;
  State state;
  Diagnostics diags;
  std::string error;
  explicit Run(bool locked = true, StatePaths paths = {}) : store(open_local_store(paths)) {
    if (locked) {
      auto r = store->lock("OperationTypeApply", 0);
      if (!r.ok()) {
        error = r.error().message;
        return;
      }
    }
    auto s = store->read(diags);
    if (s.ok())
      state = std::move(*s);
    else
      error = s.error().message;
  }
  ~Run() { (void)store->unlock(); }
};

inline JournalRecord record(Kind_ k, const std::string& addr, ObjectPtr o = nullptr,
                            const std::string& action = "", const std::string& deposed = "") {
  JournalRecord r;
  r.kind = k;
  r.addr = at(addr);
  r.object = std::move(o);
  r.action = action;
  r.deposed = deposed;
  r.provider = provider();
  return r;
}

inline void make_state(const std::vector<std::string>& addrs) {
  Run run;
  REQUIRE(run.error.empty());
  for (auto& a : addrs) run.state.ensure(at(a), provider()).current = object("old-" + a);
  auto w = run.store->write(run.state, no_types);
  REQUIRE(w.ok());
}

}  // namespace xplan::store_test
