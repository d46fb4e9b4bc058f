// What is explained can be a cause of its own causes: an explanation has an end all the same.
#include <catch2/catch.hpp>

#include "core/provider/kit/modifiers.h"
#include "core/provider/kit/provider.h"
#include "core/review/causes.h"
#include "core/review/explained.h"
#include "render/explain.h"
#include "tests/support/test_world.h"

using namespace xplan;

namespace {

// A new name forces a replacement, which makes a new version, which forces one, too.
struct Versioned : kit::Resource {
  kit::Schema schema() const override {
    return {{kit::string("name").required().modify(kit::requires_replace()),
             kit::string("version").optional().computed().modify(kit::requires_replace())}};
  }
  void create(const kit::ChangeRequest& r, kit::StateResponse& out) override {
    kit::Object o(r.planned);
    o.set("version", "v-" + std::string(o.text("name")));
    out.state = o.value();
  }
  void read(const Value& s, const Value&, kit::StateResponse& out) override { out.state = s; }
  void update(const kit::ChangeRequest& r, kit::StateResponse& out) override { create(r, out); }
  void remove(const kit::ChangeRequest&, kit::StateResponse&) override {}
};

struct VersionedFactory : ProviderFactory {
  std::unique_ptr<ProviderFactory> builtin = make_builtin_factory();
  std::shared_ptr<Provider> start(const ProviderAddr& p, Diagnostics& d) override {
    if (p.type.sv() != "acme") return builtin->start(p, d);
    auto acme = std::make_shared<kit::Provider>();
    acme->add("acme_thing", std::make_unique<Versioned>());
    return acme;
  }
};

}  // namespace

TEST_CASE("what is explained may be a cause of its own causes") {
  test::TestWorld w("resource \"acme_thing\" \"a\" {\n  name = \"one\"\n}\n");
  w.make_factory = [] { return std::make_unique<VersionedFactory>(); };
  w.apply(w.plan());
  w.fs.files["main.tf"] = "resource \"acme_thing\" \"a\" {\n  name = \"two\"\n}\n";
  const Plan p = w.plan();
  REQUIRE(w.problems() == "");
  REQUIRE(p.changes.size() == 1);
  REQUIRE(p.changes[0].required_replace.size() == 2);
  Diagnostics diags;
  review::ExplainRequest request;
  request.address = "acme_thing.a";
  const auto what = review::select_explained(p, request, diags);
  REQUIRE(what);
  review::CauseFinder finder(p, *w.config, w.sources.get());
  std::string text;
  render::render_explanation(finder, *what, {}, [&](std::string_view part) { text += part; });
  CHECK(text.find("\"one\"") != text.npos);
}
