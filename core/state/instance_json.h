// One member of "instances" of a state file, read and written; the journal uses the same form for its
// objects.
//
// Who calls it: read.cc, write.cc, journal.cc.
// Invariant: what is read and not changed is written alike, byte for byte apart from white space.
// Cost: linear in the text; lists of dependencies are parsed and printed once for all instances that share
// them. Thread-safety: one reader or writer per thread.
#pragma once
#include <memory>
#include <string>
#include <unordered_map>

#include "core/base/json_writer.h"
#include "core/state/json_scan.h"
#include "core/state/state.h"

namespace xplan {

struct InstanceRecord {
  InstanceKey key;
  std::string deposed;  // empty: the current object
  std::shared_ptr<Object> object;
};

class InstanceReader {
 public:
  // Slices of `buffer` are kept by the objects; the scanner reads the same text.
  explicit InstanceReader(std::shared_ptr<const std::string> buffer) : buffer_(std::move(buffer)) {}
  InstanceRecord read(JsonScan& scan);
  ProviderConfigAddr provider(JsonScan& scan);  // the next string as a provider configuration

 private:
  Dependencies dependencies(JsonScan& scan);
  std::shared_ptr<const std::string> buffer_;
  std::unordered_map<std::string, Dependencies> dependencies_;  // by their text
  std::unordered_map<std::string, ConfigResource> addresses_;
  std::unordered_map<std::string, ProviderConfigAddr> providers_;
};

class InstanceWriter {
 public:
  // `depth`: how many levels the instance object lies inside the document (for the indentation of slices).
  explicit InstanceWriter(int depth, bool compact = false) : depth_(depth), compact_(compact) {}
  void write(JsonWriter& w, const InstanceKey& key, std::string_view deposed, const Object& o,
             const std::optional<Type>& declared);

 private:
  void write_dependencies(JsonWriter& w, const Dependencies& d);
  int depth_;
  bool compact_;
  std::string buffer_;
  std::unordered_map<const void*, std::string> dependencies_;  // by identity: their text
};

// A JSON text again, in the layout of state files as it looks `depth` levels inside (its first line is not
// indented); compact: without any white space. Strings and numbers stay as they are, except that < > & and
// U+2028/9 are escaped.
void append_json_layout(std::string& out, std::string_view json, int depth, bool compact = false);

// The sensitive paths as they are to be recorded: those of the value's own marks, or those that were read.
std::vector<Path> recorded_sensitive_paths(const Object& o);

}  // namespace xplan
