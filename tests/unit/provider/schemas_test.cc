// Schemas belong to whoever holds them, not to the provider they came from.
#include "core/provider/schemas.h"

#include <catch2/catch.hpp>

using namespace xplan;

namespace {

const ProviderAddr kFs = *parse_provider_addr("terraform.io/builtin/fs");
const Symbol kFile("fs_file");

// Counts starts; every provider it gives is a new one.
class Counting : public ProviderFactory {
 public:
  std::shared_ptr<Provider> start(const ProviderAddr& p, Diagnostics& diags) override {
    ++starts;
    return builtin_->start(p, diags);
  }
  int starts = 0;

 private:
  std::unique_ptr<ProviderFactory> builtin_ = make_builtin_factory();
};

}  // namespace

TEST_CASE("schemas: a handle outlives the provider, its factory and the table it was found in") {
  schema::SchemaPtr file;
  schema::ProviderSchemaPtr all;
  {
    Counting factory;
    ProviderSchemas schemas(factory);
    file = schemas.find(kFs, Mode::Managed, kFile);
    Diagnostics diags;
    all = schemas.schema(kFs, {}, diags);
    CHECK(factory.starts == 1);
    CHECK(schemas.type_of(kFs, Mode::Managed, kFile) == file->block.implied_type());
    CHECK_FALSE(schemas.find(kFs, Mode::Managed, Symbol("fs_socket")));
    CHECK(factory.starts == 1);
  }
  CHECK(file->block.find_attribute("path"));
  CHECK(file == schema::find(all, Mode::Managed, kFile));
}

TEST_CASE("schemas: why there is none is told once, to the first who listens") {
  Counting factory;
  ProviderSchemas schemas(factory);
  const ProviderAddr none = *parse_provider_addr("terraform.io/builtin/none");
  CHECK_FALSE(schemas.find(none, Mode::Managed, kFile));
  CHECK_FALSE(schemas.type_of(none, Mode::Managed, kFile));
  Diagnostics first, second;
  CHECK_FALSE(schemas.schema(none, {}, first));
  CHECK_FALSE(schemas.schema(none, {}, second));
  CHECK(first.error_count() == 1);
  CHECK(second.empty());
  CHECK(factory.starts == 1);
}
