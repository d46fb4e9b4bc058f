// The conversions between messages and the engine's types, in both directions and for both protocols.
#include <catch2/catch.hpp>

#include "core/provider/plugin/handshake.h"
#include "core/provider/plugin/normalize.h"
#include "core/provider/plugin/output.h"
#include "core/provider/plugin/reattach.h"
#include "core/provider/wire/certificate.h"
#include "core/provider/wire/convert.h"
#include "core/provider/wire/schema.h"
#include "core/schema/object_of.h"
#include "core/value/json.h"

using namespace xplan;

namespace {

schema::Attribute attribute(const char* name, Type t) {
  schema::Attribute a;
  a.name = Symbol(name);
  a.type = t;
  a.optional = true;
  return a;
}

schema::ProviderSchema everything(bool nested) {
  schema::ProviderSchema s;
  s.provider.block.attributes = {attribute("url", Type::string())};
  s.provider_meta.block.attributes = {attribute("module", Type::string())};
  schema::Schema r;
  r.version = 7;
  schema::Attribute secret = attribute("secret", Type::string());
  secret.write_only = secret.sensitive = secret.deprecated = true;
  secret.description = "a *secret*", secret.markdown = true, secret.deprecation_message = "use any";
  r.block.attributes = {secret, attribute("any", Type::dynamic()),
                        attribute("list", Type::list(Type::number()))};
  for (auto [name, mode] :
       {std::pair("one", schema::Nesting::Single), std::pair("many", schema::Nesting::List),
        std::pair("some", schema::Nesting::Set), std::pair("named", schema::Nesting::Map),
        std::pair("always", schema::Nesting::Group)}) {
    schema::NestedBlock b;
    b.type_name = Symbol(name);
    b.nesting = mode;
    b.min_items = 1, b.max_items = 3;
    b.block = std::make_shared<schema::Block>();
    b.block->attributes = {attribute("x", Type::boolean())};
    b.block->description = "text";
    b.block->deprecated = b.block->computed = true, b.block->deprecation_message = "use list";
    r.block.blocks.push_back(b);
  }
  if (nested) {
    for (auto mode :
         {schema::Nesting::Single, schema::Nesting::List, schema::Nesting::Set, schema::Nesting::Map}) {
      schema::Attribute a = attribute("", {});
      a.name = Symbol("nested" + std::to_string(static_cast<int>(mode)));
      a.nested = std::make_shared<schema::Object>();
      a.nested->nesting = mode;
      a.nested->attributes = {attribute("y", Type::string())};
      r.block.attributes.push_back(a);
    }
  }
  s.managed = {{Symbol("t_b"), r}, {Symbol("t_a"), r}};
  s.data = {{Symbol("t_d"), r}};
  s.ephemeral = {{Symbol("t_e"), r}};
  schema::Schema id;
  id.version = 3;
  id.block.attributes = {attribute("account", Type::string())};
  s.identities = {{Symbol("t_a"), id}};
  schema::FunctionSignature f;
  f.params = {{"a", Type::string(), true, true, "first", false}};
  f.variadic = std::make_shared<schema::FunctionParameter>();
  f.variadic->name = "more";
  f.variadic->type = Type::number();
  f.returns = Type::list(Type::string());
  f.summary = "sum", f.description = "desc", f.deprecation_message = "old", f.markdown = true;
  s.functions = {{Symbol("f"), f}};
  s.freeze();
  return s;
}

template <class P>
void round_trip() {
  schema::ProviderSchema in = everything(P::kVersion >= 6), out;
  typename P::SchemaResponse message;
  typename P::IdentityResponse identities;
  REQUIRE(wire::put_schema<P>(in, {true, true, false, true}, &message));
  wire::put_identities<P>(in, &identities);
  wire::Capabilities c;
  ProviderDiags diags;
  wire::get_schema<P>(message, out, c, diags);
  wire::get_identities<P>(identities, out, diags);
  REQUIRE(diags.empty());
  CHECK((c.plan_destroy && c.schema_optional && !c.move_state && c.generate_config));
  REQUIRE(out.managed.size() == 2);
  CHECK(out.managed[0].first.sv() == "t_a");
  CHECK(out.managed[0].second.version == 7);
  CHECK(out.managed[0].second.block.implied_type() == in.managed[0].second.block.implied_type());
  CHECK(out.data[0].second.block.implied_type() == in.data[0].second.block.implied_type());
  CHECK(out.ephemeral.size() == 1);
  CHECK(out.provider.block.implied_type() == in.provider.block.implied_type());
  CHECK(out.provider_meta.block.implied_type() == in.provider_meta.block.implied_type());
  const schema::Attribute* secret = out.managed[0].second.block.find_attribute("secret");
  REQUIRE(secret);
  CHECK((secret->write_only && secret->sensitive && secret->deprecated && secret->markdown &&
         secret->optional));
  CHECK((secret->description == "a *secret*" && secret->deprecation_message == "use any"));
  const schema::NestedBlock* many = out.managed[0].second.block.find_block("many");
  REQUIRE(many);
  CHECK((many->min_items == 1 && many->max_items == 3 && many->block->description == "text"));
  CHECK((many->block->deprecated && many->block->computed && many->block->deprecation_message == "use list"));
  REQUIRE(out.identities.size() == 1);
  CHECK(out.identities[0].second.version == 3);
  CHECK(out.identities[0].second.block.implied_type() == in.identities[0].second.block.implied_type());
  REQUIRE(out.functions.size() == 1);
  const schema::FunctionSignature& f = out.functions[0].second;
  CHECK((f.params.size() == 1 && f.params[0].allow_null && f.params[0].allow_unknown && f.variadic));
  CHECK((f.returns == Type::list(Type::string()) && f.summary == "sum" && f.deprecation_message == "old"));
}

std::string schema_problem(void (*spoil)(tfplugin6::Schema*)) {
  wire::P6::SchemaResponse m;
  auto& s = (*m.mutable_resource_schemas())["t_a"];
  auto* a = s.mutable_block()->add_attributes();
  a->set_name("ok");
  a->set_type("\"string\"");
  a->set_optional(true);
  spoil(&s);
  schema::ProviderSchema out;
  wire::Capabilities c;
  ProviderDiags diags;
  wire::get_schema<wire::P6>(m, out, c, diags);
  return diags.empty() ? "" : diags[0].detail;
}

}  // namespace

TEST_CASE("schemas survive the way over either protocol") {
  round_trip<wire::P5>();
  round_trip<wire::P6>();
}

TEST_CASE("protocol 5 has no nested attributes") {
  wire::P5::SchemaResponse m;
  CHECK_FALSE(wire::put_schema<wire::P5>(everything(true), {}, &m).ok());
}

TEST_CASE("schemas that contradict themselves are refused by name") {
  using S = tfplugin6::Schema;
  CHECK(schema_problem([](S*) {}) == "");
  CHECK_THAT(schema_problem([](S* s) { s->mutable_block()->mutable_attributes(0)->set_required(true); }),
             Catch::Contains("t_a") && Catch::Contains("ok is required"));
  CHECK_THAT(schema_problem([](S* s) { s->mutable_block()->mutable_attributes(0)->set_optional(false); }),
             Catch::Contains("neither"));
  CHECK_THAT(schema_problem([](S* s) { s->mutable_block()->mutable_attributes(0)->set_type("[\"list\"]"); }),
             Catch::Contains("cannot be read"));
  CHECK_THAT(schema_problem([](S* s) { s->mutable_block()->mutable_attributes(0)->clear_type(); }),
             Catch::Contains("missing"));
  CHECK_THAT(schema_problem([](S* s) { *s->mutable_block()->add_attributes() = s->block().attributes(0); }),
             Catch::Contains("twice"));
  CHECK_THAT(schema_problem([](S* s) { s->mutable_block()->mutable_attributes(0)->set_name("a b"); }),
             Catch::Contains("valid name"));
  CHECK_THAT(schema_problem([](S* s) { s->mutable_block()->add_block_types()->set_type_name("b"); }),
             Catch::Contains("nesting"));
}

TEST_CASE("values, paths and diagnostics over the wire") {
  tfplugin6::DynamicValue m;
  CHECK_FALSE(wire::has_value(m));
  CHECK(wire::get_value(m, Type::string())->is_null());
  wire::put_value(&m, Value::unknown(Type::string()), Type::string());
  CHECK(wire::get_value(m, Type::string())->is_unknown());
  CHECK_FALSE(wire::get_value(m, Type::list(Type::string()))->is_known());
  m.set_msgpack("\xc1");
  CHECK_FALSE(wire::get_value(m, Type::string()).ok());
  m.clear_msgpack();
  m.set_json("[\"a\"]");
  CHECK(wire::get_value(m, Type::list(Type::string()))->length() == 1);
  CHECK_FALSE(wire::get_value(m, Type::boolean()).ok());

  Path path = {PathStep::of_attr("a"), PathStep::of_index(Value::number(2)),
               PathStep::of_index(Value::string("k"))};
  tfplugin5::AttributePath p;
  wire::put_path(&p, path);
  CHECK(wire::get_path(p) == path);
  path.push_back(PathStep::of_index(Value::boolean(true)));  // a step into a set
  tfplugin5::AttributePath q;
  wire::put_path(&q, path);
  CHECK(wire::get_path(q).size() == 3);

  google::protobuf::RepeatedPtrField<tfplugin6::Diagnostic> d;
  wire::put_diags(&d, {{Severity::Warning, "s", "d", {PathStep::of_attr("x")}}});
  d.Add()->set_summary("bad \xff text");
  ProviderDiags out;
  wire::get_diags(d, out);
  REQUIRE(out.size() == 2);
  CHECK((out[0].severity == Severity::Warning && out[0].summary == "s" && out[0].path.size() == 1));
  CHECK((out[1].severity == Severity::Error && out[1].summary == "bad \xEF\xBF\xBD text"));
}

TEST_CASE("numbers of providers are finite") {
  const Type object = Type::object({{Symbol("n"), Type::list(Type::number())}});
  auto packed = [](std::string_view number) { return "\x81\xa1n\x91" + std::string(number); };
  const std::string_view infinite("\xcb\x7f\xf0\0\0\0\0\0\0", 9), below("\xcb\xff\xf0\0\0\0\0\0\0", 9),
      narrow("\xca\x7f\x80\0\0", 5), none("\xcb\x7f\xf8\0\0\0\0\0\0", 9), zero("\xcb\x80\0\0\0\0\0\0\0", 9);
  auto said = [&](const auto& message) {
    Result<Value> v = wire::get_value(message, object);
    return v ? to_json(*v) : v.error().message;
  };
  tfplugin5::DynamicValue m;
  for (std::string_view n : {infinite, below, narrow, std::string_view("\xa4+Inf"),
                             std::string_view("\xab"
                                              "1e999999999")}) {
    m.set_msgpack(packed(n));
    CHECK(said(m) == ".n[0]: the number is infinite");
  }
  m.set_msgpack(packed(none));
  CHECK_THAT(said(m), Catch::StartsWith(".n[0]: not-a-number"));
  m.set_msgpack(
      packed("\xac"
             "1e9999999999"));
  CHECK_THAT(said(m), Catch::StartsWith(".n[0]: "));
  m.set_msgpack(packed(zero));
  CHECK(said(m) == R"({"n":[0]})");
  tfplugin6::DynamicValue j;
  for (const char* n : {"1e999999999", "-1e999999999", "\"Inf\"", "1e9999999999"}) {
    j.set_json("{\"n\":[" + std::string(n) + "]}");
    CHECK_THAT(said(j), Catch::StartsWith(".n[0]: "));
  }
}

TEST_CASE("handshake lines") {
  struct Case {
    const char* line;
    int protocol;
    const char* target;  // or a part of the error
  };
  for (const Case& c : std::vector<Case>{
           {"1|6|unix|/tmp/p1|grpc|", 6, "unix:///tmp/p1"},
           {"1|5|tcp|127.0.0.1:1234|grpc\r\n", 5, "127.0.0.1:1234"},
           {"1|6|unix|rel/p|grpc||true", 6, "unix:rel/p"},
           {"", 0, "not a provider plugin handshake"},
           {"hello", 0, "not a provider plugin handshake"},
           {"2|6|unix|/tmp/p|grpc", 0, "core protocol 2"},
           {"1|4|unix|/tmp/p|netrpc", 0, "protocol 4"},
           {"1|6|unix|/tmp/p", 0, "gRPC"},
           {"1|6|unix|/tmp/p|netrpc", 0, "gRPC"},
           {"1|6|pipe|/tmp/p|grpc", 0, "neither unix nor tcp"},
           {"1|6|unix||grpc", 0, "empty"},
           {"1|6|tcp|[::1]:65535|grpc", 6, "[::1]:65535"},
           {"1|6|tcp|localhost:1|grpc", 6, "dns:///localhost:1"},
           {"1|6|tcp|127.0.0.1|grpc", 0, "a host and a port"},
           {"1|6|tcp|127.0.0.1:65536|grpc", 0, "a host and a port"},
           {"1|6|tcp|dns:///localhost:1|grpc", 0, "a host and a port"},
           {"1|6|tcp|unix:/tmp/p|grpc", 0, "a host and a port"},
           {"1|6|tcp|127.0.0.1,10.0.0.1:1|grpc", 0, "a host and a port"},
           {"1|6|tcp|192.168.0.1:1|grpc", 0, "not an address of this machine"},
           {"1|6|tcp|127.example.com:1|grpc", 0, "not an address of this machine"},
           {"1|6|unix|/tmp/p|grpc|not base64 at all, and much longer than fifty characters", 0,
            "certificate"},
       }) {
    CAPTURE(c.line);
    auto e = plugin::parse_handshake(c.line);
    CHECK(e.ok() == (c.protocol != 0));
    if (e)
      CHECK((e->protocol == c.protocol && e->target == c.target));
    else
      CHECK_THAT(e.error().message, Catch::Contains(c.target));
  }
}

TEST_CASE("certificates of both curves are read from a handshake line") {
  for (const char* curve : {"P-256", "P-521"}) {
    auto own = wire::make_tls_identity(curve);
    REQUIRE(own);
    std::string shown = wire::handshake_certificate(own->certificate);
    CHECK(shown.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/") ==
          std::string::npos);
    for (const char* padding : {"", "=", "=="}) {
      auto read = wire::certificate_pem(shown + padding);
      REQUIRE(read);
      CHECK(*read == own->certificate);
    }
    CHECK_FALSE(wire::certificate_pem(shown.substr(4)));
  }
}

TEST_CASE("lines that plugins print") {
  auto l = plugin::read_log_line(R"({"@level":"warn","@message":"careful","@module":"sdk","n":1})");
  CHECK(
      (l.structured && l.level == LogLevel::Warn && l.message == "careful" && l.text == "sdk: careful n=1"));
  CHECK(plugin::read_log_line("2020 [ERROR] x").level == LogLevel::Error);
  CHECK_FALSE(plugin::read_log_line("{broken").structured);

  plugin::Output o("provider.test");
  o.add(plugin::Output::kStderr, "first\n{\"@level\":\"debug\",\"@message\":\"noise\"}\nsec");
  o.add(plugin::Output::kStdout, "out\n");
  o.add(plugin::Output::kStderr, "ond\x1b[1m");
  o.finish();
  CHECK(o.last_lines() == "first\nout\nsecond\xEF\xBF\xBD[1m");
  o.add(plugin::Output::kStderr, "panic: oh\n\ngoroutine 1\n");
  CHECK(o.last_lines() == "panic: oh\ngoroutine 1");
  for (int i = 0; i < 1000; ++i) o.add(plugin::Output::kStderr, std::string(10000, 'x') + "\n");
  CHECK(o.last_lines().size() < 200000);
}

TEST_CASE("providers to attach to") {
  auto r = plugin::parse_reattach(
      R"({"hashicorp/x":{"Protocol":"grpc","ProtocolVersion":6,"Pid":1,"Test":true,"Addr":{"Network":"unix","String":"/tmp/s"}},
          "local/y":{"Addr":{"Network":"tcp","String":"127.0.0.1:9"}}})");
  REQUIRE(r);
  REQUIRE(r->size() == 2);
  CHECK(((*r)[0].second.protocol == 6 && (*r)[0].second.target == "unix:///tmp/s"));
  CHECK(((*r)[1].second.protocol == 5 && (*r)[1].first.text() == "registry.terraform.io/local/y"));
  for (const char* bad :
       {"", "[]", "{\"a b\":{}}", "{\"x\":{}}", "{\"x\":{\"Addr\":{\"Network\":\"unix\"}}}",
        "{\"x\":{\"ProtocolVersion\":4,\"Addr\":{\"Network\":\"unix\",\"String\":\"/s\"}}}"})
    CHECK_FALSE(plugin::parse_reattach(bad).ok());
}

TEST_CASE("blocks that are null become empty, attributes stay null") {
  schema::ProviderSchema s = everything(true);
  const schema::Block& b = s.managed[0].second.block;
  std::vector<Value> none;
  for (Type t : b.implied_type().elements()) none.push_back(Value::null(t));
  Value v = plugin::fill_null_blocks(b, schema::object_of(b.implied_type(), none));
  CHECK(v.type() == b.implied_type());
  for (const char* name : {"many", "some", "named"})
    CHECK((!v.attr(name).is_null() && v.attr(name).length() == 0));
  for (const char* name : {"one", "list", "secret", "nested1"}) CHECK(v.attr(name).is_null());
}
