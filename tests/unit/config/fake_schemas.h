// Schemas for tests of the configuration: the built-in provider's resource types, and a provider
// hashicorp/mock with nested blocks, an ephemeral resource and settings. Any other provider is reported as
// unavailable.
#pragma once
#include "core/config/config.h"

namespace xplan {

class FakeSchemas : public config::SchemaSource {
 public:
  FakeSchemas() {
    builtin_->managed.emplace_back(
        Symbol("terraform_data"),
        of({optional("input", Type::dynamic()), computed("output", Type::dynamic()),
            optional("triggers_replace", Type::dynamic()), computed("id", Type::string())}));
    schema::Schema remote = of({optional("workspace", Type::string()), optional("config", Type::dynamic()),
                                optional("defaults", Type::dynamic()), computed("outputs", Type::dynamic())});
    remote.block.attributes.push_back(required("backend", Type::string()));
    builtin_->data.emplace_back(Symbol("terraform_remote_state"), remote);
    builtin_->freeze();

    mock_->provider = of({optional("region", Type::string()), optional("token", Type::string())});
    schema::Schema thing = of({optional("size", Type::number()), computed("id", Type::string())});
    thing.block.attributes.push_back(required("name", Type::string()));
    schema::NestedBlock rule;
    rule.type_name = Symbol("rule");
    rule.nesting = schema::Nesting::List;
    rule.block = std::make_shared<schema::Block>(
        of({optional("port", Type::number()), optional("note", Type::string())}).block);
    thing.block.blocks.push_back(rule);
    mock_->managed.emplace_back(Symbol("mock_thing"), thing);
    mock_->data.emplace_back(Symbol("mock_lookup"),
                             of({optional("key", Type::string()), computed("value", Type::string())}));
    mock_->ephemeral.emplace_back(Symbol("mock_secret"),
                                  of({optional("key", Type::string()), computed("value", Type::string())}));
    mock_->freeze();
  }

  schema::ProviderSchemaPtr schema(const ProviderAddr& p, Range used_at, Diagnostics& diags) override {
    if (p.text() == "terraform.io/builtin/terraform") return builtin_;
    if (p.display() == "hashicorp/mock") return mock_;
    diags.error("Provider not available", "There is no provider " + p.display() + " in this test.", used_at);
    return nullptr;
  }

 private:
  static schema::Attribute attribute(std::string_view name, Type t) {
    schema::Attribute a;
    a.name = Symbol(name);
    a.type = t;
    return a;
  }
  static schema::Attribute optional(std::string_view name, Type t) {
    schema::Attribute a = attribute(name, t);
    a.optional = true;
    return a;
  }
  static schema::Attribute required(std::string_view name, Type t) {
    schema::Attribute a = attribute(name, t);
    a.required = true;
    return a;
  }
  static schema::Attribute computed(std::string_view name, Type t) {
    schema::Attribute a = attribute(name, t);
    a.computed = true;
    return a;
  }
  static schema::Schema of(std::vector<schema::Attribute> attributes) {
    schema::Schema s;
    s.block.attributes = std::move(attributes);
    return s;
  }

  std::shared_ptr<schema::ProviderSchema> builtin_ = std::make_shared<schema::ProviderSchema>(),
                                          mock_ = std::make_shared<schema::ProviderSchema>();
};

}  // namespace xplan
