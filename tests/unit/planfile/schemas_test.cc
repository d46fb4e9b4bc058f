// The schemas inside a saved plan: what is kept, and that damage is noticed.
#include "planfile/schemas.h"

#include <catch2/catch.hpp>

using namespace xplan;

namespace {

const ProviderAddr kCloud = *parse_provider_addr("example/cloud");
const ProviderAddr kBuiltIn = *parse_provider_addr("terraform.io/builtin/terraform");

schema::Schema one_attribute(const char* name, uint64_t version) {
  schema::Schema s;
  schema::Attribute a;
  a.name = Symbol(name);
  a.type = Type::list(Type::string());
  a.optional = a.sensitive = true;
  s.version = version;
  s.block.attributes.push_back(a);
  return s;
}

class Source : public config::SchemaSource {
 public:
  Source() {
    schema::ProviderSchema whole;
    whole.managed = {{Symbol("cloud_disk"), one_attribute("size", 3)},
                     {Symbol("cloud_vm"), one_attribute("cpu", 1)}};
    whole.data = {{Symbol("cloud_disk"), one_attribute("filter", 0)}};
    whole.freeze();
    all = std::make_shared<schema::ProviderSchema>(std::move(whole));
  }
  schema::ProviderSchemaPtr schema(const ProviderAddr&, Range, Diagnostics&) override {
    ++asked;
    return all;
  }
  schema::ProviderSchemaPtr all;
  int asked = 0;
};

Plan plan_with(const ProviderAddr& p, const char* address) {
  Plan plan;
  plan.prior_state.ensure(*parse_abs_instance(address), {{}, p, {}});
  return plan;
}

}  // namespace

TEST_CASE("saved schemas: only what the plan mentions is kept, and it is read back") {
  Source source;
  auto saved = planfile::SavedSchemas::collect(plan_with(kCloud, "cloud_disk.a"), {}, source);
  auto read = planfile::SavedSchemas::decode(saved.encode());
  REQUIRE(read);
  const schema::ProviderSchemaPtr s = read->find(kCloud);
  REQUIRE(s);
  CHECK(s->data.empty());
  REQUIRE(s->managed.size() == 1);
  const schema::Schema& disk = s->managed[0].second;
  CHECK(disk.version == 3);
  CHECK(disk.block.implied_type() == source.all->managed[0].second.block.implied_type());
  CHECK(disk.block.has_sensitive());
  CHECK(read->encode() == saved.encode());
}

TEST_CASE("saved schemas: providers that are not saved are looked up elsewhere") {
  Source source;
  auto saved = planfile::SavedSchemas::collect(plan_with(kBuiltIn, "terraform_data.a"), {}, source);
  CHECK(saved.empty());
  CHECK(source.asked == 0);
  auto disk = planfile::SavedSchemas::collect(plan_with(kCloud, "cloud_disk.a"), {}, source);
  const auto other = std::make_shared<const schema::Schema>();
  const schema::Lookup elsewhere = [&](const ProviderAddr& p, Mode, Symbol) {
    CHECK(p == kBuiltIn);
    return other;
  };
  const schema::Lookup lookup = disk.lookup(elsewhere);
  CHECK(lookup(kBuiltIn, Mode::Managed, Symbol("terraform_data")) == other);
  CHECK(lookup(kCloud, Mode::Managed, Symbol("cloud_disk")));
  CHECK(lookup(kCloud, Mode::Managed, Symbol("cloud_vm")) == nullptr);
}

TEST_CASE("saved schemas: damage at any place is an error or another schema, never a crash") {
  Source source;
  const std::string good =
      planfile::SavedSchemas::collect(plan_with(kCloud, "cloud_disk.a"), {}, source).encode();
  int refused = 0;
  for (size_t i = 0; i < good.size(); ++i) {
    for (char flip : {'\1', '\x40', '\x7f'}) {
      std::string bad = good;
      bad[i] = static_cast<char>(bad[i] ^ flip);
      auto r = planfile::SavedSchemas::decode(bad);
      refused += !r;
      if (r) (void)r->encode();
    }
    refused += !planfile::SavedSchemas::decode(std::string_view(good).substr(0, i));
  }
  CHECK(refused > 100);
}
