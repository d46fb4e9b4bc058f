// The schemas inside a saved plan: of plugins, those types that the plan's objects and configuration mention,
// so that a plan is shown and explained where its providers are not installed.
//
// Who calls it: write.cc and read.cc; cmd collects them before saving a plan, and looks them up in an opened
// one. Contract: decode() trusts nothing: what is damaged or no usable schema is one Error. Built-in
// providers are left out. Cost: linear in the types kept.  Thread-safety: immutable after collect() or
// decode().
#pragma once
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/config/config.h"
#include "core/plan/plan.h"
#include "core/schema/schema.h"

namespace xplan::planfile {

class SavedSchemas {
 public:
  // Providers that `source` cannot give are left out.
  static SavedSchemas collect(const Plan& plan, const config::Config& config, config::SchemaSource& source);
  std::string encode() const;
  static Result<SavedSchemas> decode(std::string_view bytes);

  bool empty() const { return providers_.empty(); }
  schema::ProviderSchemaPtr find(const ProviderAddr& p) const;
  // What is saved, and of other providers what `otherwise` says. The results have handles of their own to
  // what is saved.
  schema::Lookup lookup(schema::Lookup otherwise) const;
  std::unique_ptr<config::SchemaSource> source(config::SchemaSource& otherwise) const;

 private:
  std::map<std::string, schema::ProviderSchemaPtr> providers_;  // by address
};

}  // namespace xplan::planfile
