// Diagnostic and Diagnostics: everything a run has to tell its user, collected rather than thrown.
//
// Who calls it: every function that can find something wrong in a configuration, a state or a provider's
// answer takes `Diagnostics&` as its last parameter, appends, and returns a usable placeholder (an unknown
// of the right type, an empty body), so that one run reports every problem.
// Contract: summaries are short and constant (no user text); details are full sentences: what is wrong, why,
// what to do. See README.md in this folder. No text here ever contains a sensitive value.
// Cost: an empty Diagnostics is a null pointer; has_errors() is O(1).
// Thread-safety: one Diagnostics per thread; merge with append() in a fixed order.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/diag/source.h"

namespace xplan {

enum class Severity : uint8_t { Error, Warning };

// What a condition compares: both sides as the console prints them.
struct Compared {
  std::string left, right;
  std::string warning;  // why the result may not be what was meant; empty: nothing
};

struct Diagnostic {
  Severity severity = Severity::Error;
  std::string summary;
  std::string detail;
  Range subject;          // what is wrong
  Range context;          // optional, encloses subject (a whole block header, a whole expression)
  std::string address;    // resource instance address, optional
  std::string attribute;  // provider-reported attribute path in text form (".a[0].b"), optional
  // "name is value" facts about the expression, ready to print; never a sensitive value.
  std::vector<std::pair<std::string, std::string>> values;  // {traversal, statement}
  std::string function_name;  // when the problem is a function call: name as called
  std::string checked;        // a condition does not hold: of what (var.x, check.c, a resource instance)
  std::shared_ptr<const Compared> compared;  // an assertion of a test fails that compares two values
  bool from_check = false;                   // of a check block: always a warning, never consolidated
  bool of_many = false;  // people are told once of all objects that have the same summary and detail
};

class Diagnostics {
 public:
  Diagnostic& error(std::string_view summary, std::string detail, Range subject = {}, Range context = {});
  Diagnostic& warn(std::string_view summary, std::string detail, Range subject = {}, Range context = {});
  Diagnostic& add(Diagnostic d);
  void append(Diagnostics&& other);
  bool has_errors() const { return errors_ > 0; }
  bool empty() const { return !list_ || list_->empty(); }
  size_t error_count() const { return errors_; }
  size_t size() const { return list_ ? list_->size() : 0; }
  const std::vector<Diagnostic>& all() const;
  std::vector<Diagnostic>& mutable_all();  // after changing severities call recount()
  void recount();
  void clear();

 private:
  std::unique_ptr<std::vector<Diagnostic>> list_;
  size_t errors_ = 0;
};

// The nearest of `candidates` by edit distance (swapped neighbours are one edit) when it is near enough to be
// what was meant, else empty. Limit: 3 edits, and fewer than half of the word. O(candidates × length²).
std::string_view did_you_mean(std::string_view given, const std::vector<std::string_view>& candidates);

}  // namespace xplan
