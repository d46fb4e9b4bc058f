// A provider for tests whose objects can be changed behind its back: acme_server, with an attribute of every
// sort that plans treat in a way of its own, and the data source acme_image.
#pragma once
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "core/provider/kit/modifiers.h"
#include "core/provider/kit/provider.h"

namespace xplan::test {

// What exists: objects by ID, and what images have as their digest.
struct AcmeCloud {
  std::mutex lock;
  std::map<std::string, Value> servers;
  std::map<std::string, std::string> digests;
  int made = 0;
};

class AcmeServer : public kit::Resource {
 public:
  explicit AcmeServer(AcmeCloud& cloud) : cloud_(cloud) {}
  kit::Schema schema() const override {
    return {{kit::string("name").required().modify(kit::requires_replace()), kit::string("size").optional(),
             kit::string("zone").with_default(Value::string("a")),
             kit::string("password").optional().sensitive(), kit::map_of("tags", Type::string()).optional(),
             kit::list_of("addresses", Type::string()).optional(),
             kit::string("id").computed().modify(kit::use_state_for_unknown()),
             kit::string("endpoint").computed(),
             kit::block("disk", kit::Nesting::List,
                        {kit::string("kind").required(), kit::number("size").optional()}),
             kit::block("rule", kit::Nesting::Set, {kit::number("port").required()})}};
  }
  void create(const kit::ChangeRequest& r, kit::StateResponse& out) override {
    std::lock_guard guard(cloud_.lock);
    kit::Object server(r.planned);
    server.set("id", "s-" + std::string(server.text("name")));
    store(server, out);
  }
  void read(const Value& stored, const Value&, kit::StateResponse& out) override {
    std::lock_guard guard(cloud_.lock);
    auto it = cloud_.servers.find(std::string(kit::Object(stored).text("id")));
    out.state = it == cloud_.servers.end() ? Value() : it->second;
  }
  void update(const kit::ChangeRequest& r, kit::StateResponse& out) override {
    std::lock_guard guard(cloud_.lock);
    kit::Object server(r.planned);
    store(server, out);
  }
  void remove(const kit::ChangeRequest& r, kit::StateResponse&) override {
    std::lock_guard guard(cloud_.lock);
    cloud_.servers.erase(std::string(kit::Object(r.prior).text("id")));
  }
  void import(const std::string& id, kit::ImportResult& out) override {
    kit::Object server(out.state);
    server.set("id", id);
    out.state = server.value();
  }

 private:
  void store(kit::Object& server, kit::StateResponse& out) {
    server.set("endpoint",
               "https://" + std::string(server.text("name")) + "/" + std::to_string(++cloud_.made));
    out.state = server.value();
    cloud_.servers[std::string(server.text("id"))] = out.state;
  }
  AcmeCloud& cloud_;
};

class AcmeImage : public kit::DataSource {
 public:
  explicit AcmeImage(AcmeCloud& cloud) : cloud_(cloud) {}
  kit::Schema schema() const override {
    return {{kit::string("name").required(), kit::string("digest").computed()}};
  }
  void read(const Value& config, const Value&, kit::StateResponse& out) override {
    std::lock_guard guard(cloud_.lock);
    kit::Object image(config);
    const std::string name(image.text("name"));
    image.set("digest", cloud_.digests.contains(name) ? cloud_.digests[name] : "sha-" + name);
    out.state = image.value();
  }

 private:
  AcmeCloud& cloud_;
};

class AcmeFactory : public ProviderFactory {
 public:
  explicit AcmeFactory(AcmeCloud& cloud) : cloud_(cloud) {}
  std::shared_ptr<Provider> start(const ProviderAddr& p, Diagnostics& diags) override {
    if (p.type.sv() != "acme") return builtin_->start(p, diags);
    auto acme = std::make_shared<kit::Provider>();
    acme->set_config({{kit::string("url").optional()}},
                     [](const ConfigureRequest&) { return kit::ConfigureResult(); });
    acme->add("acme_server", std::make_unique<AcmeServer>(cloud_));
    acme->add("acme_image", std::make_unique<AcmeImage>(cloud_));
    return acme;
  }

 private:
  AcmeCloud& cloud_;
  std::unique_ptr<ProviderFactory> builtin_ = make_builtin_factory();
};

}  // namespace xplan::test
