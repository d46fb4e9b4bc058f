// Addresses: parsing and printing of every kind, errors, order, targets, deep module paths, and interning
// from several threads.
#include <catch2/catch.hpp>

#include <algorithm>
#include <thread>

#include "core/addr/addr.h"

using namespace xplan;

namespace {
Target target(std::string_view s) {
  std::string error;
  auto t = parse_target(s, &error);
  INFO(s << ": " << error);
  REQUIRE(t);
  return *t;
}
AbsInstance instance(std::string_view s) {
  std::string error;
  auto t = parse_abs_instance(s, &error);
  INFO(s << ": " << error);
  REQUIRE(t);
  return *t;
}
}  // namespace

TEST_CASE("an address is printed as it would be written") {
  struct {
    const char* in;
    const char* out;
  } rows[] = {
      {"a.b", "a.b"},
      {" a . b ", "a.b"},
      {"/* c */ a.b # rest", "a.b"},
      {"a-b.c-d", "a-b.c-d"},
      {"_a._b", "_a._b"},
      {"ünï.cödé", "ünï.cödé"},
      {"resource.a.b", "a.b"},
      {"module.m.resource.a.b", "module.m.a.b"},
      {"data.a.b", "data.a.b"},
      {"data.data.x", "data.data.x"},
      {"ephemeral.a.b[0]", "ephemeral.a.b[0]"},
      {"a.module", "a.module"},
      {"module.data.a.x", "module.data.a.x"},
      {"module.a", "module.a"},
      {"module.a[0].module.b[\"k\"]", "module.a[0].module.b[\"k\"]"},
      {"a.b[ \"0\" ]", "a.b[\"0\"]"},
      {"a.b[01]", "a.b[1]"},
      {"a.b[1e1]", "a.b[10]"},
      {"a.b[1.0]", "a.b[1]"},
      {"a.b[120e-1]", "a.b[12]"},
      {"a.b[0e99999999999999999999]", "a.b[0]"},
      {"a.b[9223372036854775807]", "a.b[9223372036854775807]"},
      {"a.b[\"\\u0061.b\"]", "a.b[\"a.b\"]"},
      {"a.b[\"\\U0001F600\"]", "a.b[\"😀\"]"},
      {"a.b[\"$${raw}%%{x}\"]", "a.b[\"$${raw}%%{x}\"]"},
      {"a.b[\"$\"]", "a.b[\"$\"]"},
      {"a.b[\"$$\"]", "a.b[\"$$\"]"},
      {"a.b[\"%%\"]", "a.b[\"%%\"]"},
      {"a.b[\"tab\\there\"]", "a.b[\"tab\\there\"]"},
      {"a.b[\"q\\\"u\\\\o\"]", "a.b[\"q\\\"u\\\\o\"]"},
      {"a.b[\"nl\\nx\\r\"]", "a.b[\"nl\\nx\\r\"]"},
      {"a.b[\"\\u0007\\u001b\\u007f\"]", "a.b[\"\\u0007\\u001b\\u007f\"]"},
      {"a.b[\"\\u00a0\\u200b\\u2028\"]", "a.b[\"\\u00a0\\u200b\\u2028\"]"},
      {"a.b[\"naïve-日本\"]", "a.b[\"naïve-日本\"]"},
      {"a.b[\"e\\u0301\"]", "a.b[\"é\"]"},
      {"a.b[\"&<>'\"]", "a.b[\"&<>'\"]"},
  };
  for (auto& r : rows) {
    INFO(r.in);
    Target t = target(r.in);
    CHECK(t.text() == r.out);
    CHECK(target(t.text()) == t);
  }
  CHECK(target("resource.var.x").text() ==
        "var.x");  // the one that has to be written longer than it is printed
}

TEST_CASE("an address that cannot be read gives a reason") {
  const char* rows[] = {
      "",
      " ",
      "1a.b",
      "a",
      "a.",
      ".a",
      "a.b.c",
      "a.1",
      "a.b.0",
      "a.b[",
      "a.b[]",
      "a.b[0",
      "a.b[-1]",
      "a.b[1.5]",
      "a.b[x]",
      "a.b[true]",
      "a.b[null]",
      "a.b[*]",
      "a.b.*",
      "a.b['0']",
      "a.b[0x1]",
      "a.b[(0)]",
      "a.b[\"a",
      "a.b[\"a\"",
      "a.b[\"a\nb\"]",
      "a.b[\"\\x\"]",
      "a.b[\"\\u12\"]",
      "a.b[\"\\",
      "a.b[\"${x}\"]",
      "a.b[\"%{if}\"]",
      "a.b[18446744073709551616]",
      "a.b[9223372036854775808]",
      "a.b[1e99999999999]",
      "a.b[0][1]",
      "a.b[\"x\"].c",
      "a b",
      "a[0].b",
      "module",
      "module[0]",
      "module.",
      "module.a.b",
      "module.a[0].module",
      "module.a[0][1]",
      "data.x",
      "data",
      "resource.x",
      "var.x",
      "local.x",
      "each.x.y",
      "count.index",
      "terraform.x",
      "path.x",
      "self.x",
      "template.x",
      "module.a.var.b",
      "\xff.b",
      "a.b[\"\xff\"]",
      "/* open a.b",
  };
  for (auto* r : rows) {
    INFO(r);
    std::string error;
    CHECK_FALSE(parse_target(r, &error));
    CHECK(error.size() > 10);
    if (!error.empty()) CHECK(error.back() == '.');
    CHECK_FALSE(parse_target(r));
  }
}

TEST_CASE("each kind of address refuses the others") {
  std::string error;
  CHECK_FALSE(parse_abs_instance("module.a", &error));
  CHECK_FALSE(parse_module_instance("a.b", &error));
  CHECK_FALSE(parse_abs_resource("a.b[0]", &error));
  CHECK_FALSE(parse_config_resource("module.a[0].a.b", &error));
  CHECK(parse_config_resource("module.a.a.b")->text() == "module.a.a.b");
  CHECK(parse_module_instance("module.a[0]")->text() == "module.a[0]");
  CHECK(parse_abs_resource("module.a[0].a.b")->config().text() == "module.a.a.b");
}

TEST_CASE("a target covers what lies inside it") {
  struct {
    const char* target;
    const char* instance;
    bool covers;
    bool config;
  } rows[] = {
      {"a.b", "a.b", true, true},
      {"a.b", "a.b[0]", true, true},
      {"a.b", "a.c", false, false},
      {"a.b", "data.a.b", false, false},
      {"a.b", "module.m.a.b", false, false},
      {"a.b[0]", "a.b[0]", true, true},
      {"a.b[0]", "a.b[1]", false, true},
      {"a.b[0]", "a.b[\"0\"]", false, true},
      {"a.b[0]", "a.b", false, true},
      {"module.m", "module.m.a.b", true, true},
      {"module.m", "module.m[0].a.b", true, true},
      {"module.m", "module.m[\"k\"].module.n[2].a.b[1]", true, true},
      {"module.m", "module.n.a.b", false, false},
      {"module.m", "a.b", false, false},
      {"module.m[0]", "module.m[0].a.b", true, true},
      {"module.m[0]", "module.m[1].a.b", false, true},
      {"module.m[0]", "module.m.a.b", false, true},
      {"module.m[0].module.n", "module.m[0].module.n[7].a.b", true, true},
      {"module.m[0].module.n", "module.m[1].module.n[7].a.b", false, true},
      {"module.m.module.n", "module.m[0].module.n.a.b", false, true},
      {"module.m.a.b", "module.m.a.b[3]", true, true},
      {"module.m.a.b", "module.m[0].a.b", false, true},
      {"module.m[0].a.b", "module.m[0].a.b[3]", true, true},
  };
  for (auto& r : rows) {
    INFO(r.target << " and " << r.instance);
    CHECK(target(r.target).covers(instance(r.instance)) == r.covers);
    CHECK(target(r.target).covers(instance(r.instance).config()) == r.config);
  }
  Target root;  // the root module
  CHECK(root.covers(instance("module.m[0].a.b")));
  CHECK(target("module.m").covers(parse_module_instance("module.m[1].module.n").value()));
  CHECK(target("module.m").covers(Module().child(Symbol("m")).child(Symbol("x"))));
  CHECK_FALSE(target("module.m.a.b").covers(Module().child(Symbol("m"))));
}

TEST_CASE("addresses sort as outputs list them") {
  const char* sorted[] = {
      "data.z.z",
      "a.a",
      "a.b",
      "a.b[2]",
      "a.b[10]",
      "a.b[\"10\"]",
      "a.b[\"9\"]",
      "a.b[\"B\"]",
      "a.b[\"b\"]",
      "a.b[\"é\"]",
      "b.a",
      "ephemeral.a.a",
      "module.a.a.a",
      "module.a[0].a.a",
      "module.a[2].a.a",
      "module.a[10].data.z.z",
      "module.a[10].a.a",
      "module.a[\"x\"].a.a",
      "module.a-b.a.a",
      "module.z.a.a",
      "module.a[0].module.z.a.a",
      "module.a[2].module.b.a.a",
      "module.b.module.a.a.a",
  };
  std::vector<AbsInstance> v;
  for (auto* s : sorted) v.push_back(instance(s));
  for (size_t i = 0; i < v.size(); ++i)
    for (size_t j = 0; j < v.size(); ++j) {
      INFO(sorted[i] << " and " << sorted[j]);
      CHECK(less(v[i], v[j]) == (i < j));
    }
}

TEST_CASE("module paths know their relatives") {
  Module a = Module().child(Symbol("a")), ab = a.child(Symbol("b")), c = Module().child(Symbol("c"));
  CHECK(ab.parent() == a);
  CHECK(ab.call() == Symbol("b"));
  CHECK(ab == Module().child(Symbol("a")).child(Symbol("b")));
  CHECK(a.contains(ab));
  CHECK(a.contains(a));
  CHECK_FALSE(ab.contains(a));
  CHECK_FALSE(c.contains(ab));
  CHECK(Module().contains(ab));
  CHECK(ab.text() == "module.a.module.b");
  CHECK(Module().text().empty());
  ModuleInstance i = ModuleInstance().child(Symbol("a"), InstanceKey::of(3)).child(Symbol("b"), {});
  CHECK(i.module() == ab);
  CHECK(i.depth() == 2);
  CHECK(i.parent().key() == InstanceKey::of(3));
  CHECK(i.ancestor(1) == i.parent());
  CHECK(i.parent().contains(i));
  CHECK_FALSE(i.contains(i.parent()));
  CHECK(i.chain().front().text() == "module.a[3]");
}

TEST_CASE("module paths may be deep, up to a limit") {
  ModuleInstance m;
  for (uint32_t i = 0; i < kMaxModuleDepth; ++i) m = m.child(Symbol("m"), InstanceKey::of(int64_t{0}));
  CHECK(m.depth() == kMaxModuleDepth);
  CHECK(ModuleInstance().contains(m));
  CHECK(parse_module_instance(m.text()) == m);
  std::string why;
  CHECK_FALSE(parse_module_instance(m.child(Symbol("m"), {}).text(), &why));
  CHECK(why == "Modules can be nested at most 100 levels deep.");
}

TEST_CASE("threads that make the same addresses get the same ids") {
  std::vector<std::vector<uint32_t>> ids(8);
  std::vector<std::thread> threads;
  for (auto& out : ids)
    threads.emplace_back([&out] {
      for (int i = 0; i < 2000; ++i) {
        auto m = ModuleInstance()
                     .child(Symbol("par"), InstanceKey::of(i % 50))
                     .child(Symbol("x"), InstanceKey::of(i));
        if (m.parent().key().number != i % 50) return;
        out.push_back(m.id());
      }
    });
  for (auto& t : threads) t.join();
  for (auto& out : ids) CHECK(out == ids[0]);
  CHECK(ids[0].size() == 2000);
}

TEST_CASE("provider addresses are filled in and checked") {
  struct {
    const char* in;
    const char* text;
    const char* display;
  } rows[] = {
      {"aws", "registry.terraform.io/hashicorp/aws", "hashicorp/aws"},
      {"hashicorp/aws", "registry.terraform.io/hashicorp/aws", "hashicorp/aws"},
      {"Hashicorp/AWS", "registry.terraform.io/hashicorp/aws", "hashicorp/aws"},
      {"terraform", "terraform.io/builtin/terraform", "terraform.io/builtin/terraform"},
      {"terraform.io/builtin/terraform", "terraform.io/builtin/terraform", "terraform.io/builtin/terraform"},
      {"example.com/a/b", "example.com/a/b", "example.com/a/b"},
      {"localhost:8080/a/b", "localhost:8080/a/b", "localhost:8080/a/b"},
      {"registry.terraform.io/-/aws", "registry.terraform.io/-/aws", "-/aws"},
  };
  for (auto& r : rows) {
    INFO(r.in);
    auto p = parse_provider_addr(r.in);
    REQUIRE(p);
    CHECK(p->text() == r.text);
    CHECK(p->display() == r.display);
    CHECK(parse_provider_addr(p->text()) == p);
  }
  for (auto* bad :
       {"", "a/b/c/d", "a_b/c", "a//b", "a--b/c", "hashicorp/x-", "x.y/z", "hashicorp/terraform-provider-aws",
        "/a", "a/", "ho st/a/b", "host:/a/b", "host:1234567/a/b", ".h/a/b"}) {
    INFO(bad);
    CHECK_FALSE(parse_provider_addr(bad));
  }
}

TEST_CASE("provider configurations are read back as they are written") {
  for (auto* s :
       {"provider[\"registry.terraform.io/hashicorp/aws\"]",
        "provider[\"terraform.io/builtin/terraform\"].west",
        "module.a.module.b.provider[\"example.com/a/b\"].x", "provider[\"example.com/a/b\"].x[\"eu-1\"]",
        "module.m.provider[\"example.com/a/b\"].x[\"a.b[\\\"0\\\"]\"]"}) {
    INFO(s);
    auto p = parse_provider_config_addr(s);
    REQUIRE(p);
    CHECK(p->text() == s);
  }
  for (auto* bad :
       {"", "provider", "provider.aws", "provider[]", "provider[\"a_b/c\"]", "provider[\"hashicorp/aws\"]x",
        "provider[\"hashicorp/aws\"].", "provider[\"hashicorp/aws\"].a.b",
        "provider[\"hashicorp/aws\"][\"k\"]", "provider[\"hashicorp/aws\"].a[",
        "provider[\"hashicorp/aws\"].a[\"k\"].b", "module.a[0].provider[\"hashicorp/aws\"]",
        "module.provider[\"hashicorp/aws\"]", "provider[\"hashicorp/aws\""}) {
    INFO(bad);
    CHECK_FALSE(parse_provider_config_addr(bad));
  }
}

TEST_CASE("addr: instances whose keys are not known yet") {
  for (const char* text : {"a_b.c[*]", "module.m[*].a_b.c", "module.m[*].module.n[\"k\"].data.a_b.c[*]"}) {
    INFO(text);
    CHECK_FALSE(parse_abs_instance(text));  // nobody can name one
    auto a = parse_partial_instance(text);
    REQUIRE(a);
    CHECK(a->partial());
    CHECK(a->text() == text);
    CHECK(a->key.value().is_unknown() == a->key.is_unknown());
  }
  for (const char* text : {"a_b.c", "module.m[0].a_b.c[\"*\"]"}) {
    auto a = parse_partial_instance(text);
    REQUIRE(a);
    CHECK_FALSE(a->partial());
    CHECK(*a == *parse_abs_instance(text));
  }
  CHECK(less(*parse_partial_instance("a_b.c[\"z\"]"), *parse_partial_instance("a_b.c[*]")));
}
