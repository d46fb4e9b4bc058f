// One member of "instances" of a state file, read and written; the journal uses the same form for its
// objects.
//
// Who calls it: read.cc, write.cc, journal_read.cc, journal_write.cc, same_json.cc.
// Invariant: what is read and not changed is written alike, byte for byte apart from whitespace.
// Cost: linear in the text. Lists of dependencies, which name all ancestors, can be most of a state: each
// address is parsed once, then recognized behind the one that it followed before; equal lists are shared, and
// printed once. Thread-safety: one reader or writer per thread.
#pragma once
#include <memory>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "core/base/json_writer.h"
#include "core/state/json_scan.h"
#include "core/state/state.h"

namespace xplan {

struct InstanceRecord {
  InstanceKey key;
  std::string deposed;          // empty: the current object
  ProviderConfigAddr provider;  // of this instance alone; empty: as of the resource
  std::shared_ptr<Object> object;
};

class InstanceReader {
 public:
  // Slices of `buffer` are kept by the objects; the scanner reads the same text.
  explicit InstanceReader(std::shared_ptr<const std::string> buffer) : buffer_(std::move(buffer)) {}
  InstanceRecord read(JsonScan& scan);
  ProviderConfigAddr provider(JsonScan& scan);  // the next string as a provider configuration

 private:
  struct Address {
    std::string text;  // with its quotes
    ConfigResource resource;
    uint32_t next = 0;      // the address that came behind it last time
    bool ascending = true;  // to that one
  };
  struct ByContent {
    size_t operator()(const Dependencies& d) const;
    bool operator()(const Dependencies& a, const Dependencies& b) const { return *a == *b; }
  };
  Dependencies dependencies(JsonScan& scan);
  uint32_t address(JsonScan& scan);  // the next string as an index of addresses_
  std::shared_ptr<const std::string> buffer_;
  std::unordered_set<Dependencies, ByContent, ByContent> dependencies_;
  std::vector<ConfigResource> scratch_;
  std::vector<Address> addresses_ = std::vector<Address>(1);  // the first one stands before every list
  std::unordered_map<std::string, uint32_t> by_text_;
  std::unordered_map<std::string, ProviderConfigAddr> providers_;
};

class InstanceWriter {
 public:
  // `depth`: how many levels the instance object lies inside the document (for the indentation of slices).
  explicit InstanceWriter(int depth, bool compact = false) : depth_(depth), compact_(compact) {}
  // `provider`: of this instance alone; empty: as of the resource.
  void write(JsonWriter& w, const InstanceKey& key, std::string_view deposed, const Object& o,
             const std::optional<Type>& declared, std::string_view provider = {});

 private:
  void write_dependencies(JsonWriter& w, const Dependencies& d);
  int depth_;
  bool compact_;
  std::string buffer_;
  std::unordered_map<const void*, std::string> dependencies_;  // by identity: their text
};

// A JSON text again, in the layout of state files as it looks `depth` levels inside (its first line is not
// indented); compact: without any whitespace. Strings and numbers stay as they are, except that < > & and
// U+2028/9 are escaped.
void append_json_layout(std::string& out, std::string_view json, int depth, bool compact = false);

// The key of an instance: a whole number, a string, or null for none.
InstanceKey read_instance_key(JsonScan& scan);
bool valid_deposed_key(std::string_view s);

// What is wrong with an address that stands in a state: `why` is a sentence, which becomes part of another.
std::string invalid_address(std::string_view kind, std::string_view address, std::string why);

// The sensitive paths as they are to be recorded: those of the value's own marks, or those that were read.
std::vector<Path> recorded_sensitive_paths(const Object& o);

}  // namespace xplan
