// A whole configuration: one file of it is the bytes. Bytes that begin with a brace are JSON syntax, or the
// list of installed modules.
#include "core/config/config.h"
#include "core/schema/schema.h"
#include "tests/fuzz/target.h"

namespace xplan::fuzz {
namespace {

constexpr const char* kCalls =
    "module \"m\" {\n  source  = \"ns/name/sys\"\n  version = \"1.0.0\"\n}\noutput \"o\" {\n  value = "
    "module.m.o\n}\n";
constexpr const char* kModules =
    R"({"Modules":[{"Key":"","Source":"","Dir":"."},{"Key":"m","Source":"registry.terraform.io/ns/name/sys","Version":"1.0.0","Dir":"m"}]})";

// Every provider has the same types, with something of everything.
class Schemas : public config::SchemaSource {
 public:
  Schemas() {
    auto provider = std::make_shared<schema::ProviderSchema>();
    schema::Schema thing;
    auto attribute = [](schema::Block& b, std::string_view name, Type type) {
      schema::Attribute a;
      a.name = Symbol(name), a.type = type, a.optional = true;
      b.attributes.push_back(a);
    };
    attribute(thing.block, "any", Type::dynamic());
    attribute(thing.block, "n", Type::number());
    attribute(thing.block, "tags", Type::map(Type::string()));
    schema::NestedBlock disk;
    disk.type_name = Symbol("disk");
    disk.block = std::make_shared<schema::Block>();
    attribute(*disk.block, "size", Type::number());
    thing.block.blocks = {disk};
    thing.block.freeze();
    for (const char* type : {"mock_thing", "terraform_data", "terraform_remote_state"}) {
      provider->managed.emplace_back(Symbol(type), thing);
      provider->data.emplace_back(Symbol(type), thing);
    }
    provider->freeze();
    all_ = provider;
  }
  schema::ProviderSchemaPtr schema(const ProviderAddr&, Range, Diagnostics&) override { return all_; }

 private:
  schema::ProviderSchemaPtr all_;
};

void run(std::string_view bytes) {
  MemoryFs fs;
  if (bytes.starts_with("{\"Modules\"")) {
    fs.files[".terraform/modules/modules.json"] = bytes;
    fs.files["main.tf"] = kCalls;
  } else {
    fs.files[bytes.starts_with("{") ? "main.tf.json" : "main.tf"] = bytes;
  }
  fs.files["m/main.tf"] = "variable \"v\" {\n  default = 1\n}\noutput \"o\" {\n  value = var.v\n}\n";
  SourceTable sources;
  Diagnostics diags;
  static Schemas schemas;
  const auto config = config::load(fs, sources, {}, &schemas, diags);
  must(config && config->root, "there is always a configuration");
  for (const Diagnostic& d : diags.all()) {
    ResolvedRange r;
    sources.resolve(d.subject, r);
  }
}

std::vector<std::string> seeds() {
  std::vector<std::string> out = files("config", ".tf");
  for (std::string& json : files("config", ".tf.json")) out.push_back(std::move(json));
  out.push_back(kModules);
  return out;
}

}  // namespace

const Target configuration = {run, seeds};

}  // namespace xplan::fuzz
