// A provider plugin that can misbehave, for tests of the client: XPLAN_TEST_PLUGIN says how, in words:
//   garbage, silent, panic, code, old     before or instead of the handshake
//   p521, p256, plain, tcp, five          how it is served (default: P-521, unix, protocol 6)
//   optional                              the schema need not be asked for
//   die=METHOD, hang=METHOD, slow=METHOD, malformed=METHOD, wrong=METHOD, null=METHOD, big=METHOD
//   badschema                             a schema that contradicts itself
//   stubborn                              does not end when asked to
// XPLAN_TEST_COUNT names a file that gets a line for each start and each call.
// With XPLAN_TEST_HOST it is a client of itself: prints the process number of its plugin, and waits.
#include <grpcpp/grpcpp.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <thread>

#include "core/provider/plugin/plugin.h"
#include "core/provider/proto/plumbing.grpc.pb.h"
#include "core/provider/proto/tfplugin5.grpc.pb.h"
#include "core/provider/proto/tfplugin6.grpc.pb.h"
#include "core/provider/wire/certificate.h"
#include "core/provider/wire/convert.h"
#include "core/provider/wire/schema.h"
#include "core/schema/object_of.h"

namespace xplan {
namespace {

using grpc::ServerContext;
using grpc::Status;

std::string env(const char* name) {
  const char* v = std::getenv(name);
  return v ? v : "";
}
bool mode(const std::string& word) {
  std::istringstream in(env("XPLAN_TEST_PLUGIN"));
  for (std::string w; in >> w;)
    if (w == word) return true;
  return false;
}
void count(const std::string& what) {
  std::string path = env("XPLAN_TEST_COUNT");
  if (!path.empty()) std::ofstream(path, std::ios::app) << what + "\n" << std::flush;
}

// What every method does first.
void enter(const std::string& method) {
  count(method);
  if (mode("die=" + method)) {
    fprintf(stderr, "{\"@level\":\"error\",\"@message\":\"about to fail\",\"@module\":\"test\"}\n");
    fprintf(stderr, "panic: the test wants it\n\ngoroutine 1 [running]:\n");
    fflush(stderr);
    _exit(2);
  }
  if (mode("hang=" + method)) sleep(3600);
  if (mode("slow=" + method)) sleep(2);
}

schema::Attribute attribute(const char* name, Type t, bool required, bool optional, bool computed) {
  schema::Attribute a;
  a.name = Symbol(name);
  a.type = t;
  a.required = required, a.optional = optional, a.computed = computed;
  return a;
}

schema::ProviderSchema test_schema(bool nested) {
  schema::ProviderSchema s;
  s.provider.block.attributes = {attribute("region", Type::string(), false, true, false)};
  schema::Schema thing;
  thing.version = 2;
  thing.block.attributes = {attribute("id", Type::string(), false, false, true),
                            attribute("name", Type::string(), true, false, mode("badschema")),
                            attribute("any", Type::dynamic(), false, true, false)};
  schema::NestedBlock rule;
  rule.type_name = Symbol("rule");
  rule.block = std::make_shared<schema::Block>();
  rule.block->attributes = {attribute("port", Type::number(), true, false, false)};
  thing.block.blocks = {rule};
  if (nested) {
    schema::Attribute a = attribute("tags", {}, false, true, true);
    a.nested = std::make_shared<schema::Object>();
    a.nested->nesting = schema::Nesting::Map;
    a.nested->attributes = {attribute("value", Type::string(), true, false, false)};
    thing.block.attributes.push_back(a);
  }
  s.managed.emplace_back(Symbol("test_thing"), thing);
  s.data.emplace_back(Symbol("test_thing"), thing);
  schema::Schema secret;
  secret.block.attributes = {attribute("token", Type::string(), false, false, true)};
  s.ephemeral.emplace_back(Symbol("test_secret"), secret);
  schema::Schema identity;
  identity.block.attributes = {attribute("id", Type::string(), true, false, false)};
  s.identities.emplace_back(Symbol("test_thing"), identity);
  schema::FunctionSignature shout;
  shout.params = {{"text", Type::string()}};
  shout.returns = Type::string();
  s.functions.emplace_back(Symbol("shout"), shout);
  s.freeze();
  return s;
}

template <class P>
class Server {
 public:
  const schema::ProviderSchema schema = test_schema(P::kVersion >= 6);
  Type thing = schema.find(Mode::Managed, Symbol("test_thing"))->block.implied_type();

  // The object with its computed id.
  Value finished(const Value& v, const Value& id) {
    return path_update(v, {PathStep::of_attr("id")},
                       [&](const Value& old) { return old.is_null() ? id : old; });
  }
  template <class M>
  void answer(const std::string& method, const Value& v, M* out) {
    if (mode("malformed=" + method))
      out->set_msgpack(std::string("\x85\xa2id", 4));
    else if (mode("wrong=" + method))
      wire::put_value(out, Value::list(Type::string(), {Value::string("x")}), Type::list(Type::string()));
    else if (mode("null=" + method))
      wire::put_value(out, Value::null(thing), thing);
    else if (mode("big=" + method))
      wire::put_value(out,
                      path_update(v, {PathStep::of_attr("id")},
                                  [](const Value&) { return Value::string(std::string(80 << 20, 'x')); }),
                      thing);
    else
      wire::put_value(out, v, thing);
  }

  Status get_schema(typename P::SchemaResponse* out) {
    enter("schema");
    (void)wire::put_schema<P>(schema, {true, mode("optional"), true}, out).ok();
    return Status::OK;
  }
  Status identities(typename P::IdentityResponse* out) {
    wire::put_identities<P>(schema, out);
    return Status::OK;
  }
  template <class In, class Out>
  Status validate(const char* what, const In* in, Out* out) {
    enter(what);
    auto v = wire::get_value(in->config(), in->type_name() == "test_secret" ? Type::dynamic() : thing);
    if (!v) return Status(grpc::StatusCode::INVALID_ARGUMENT, v.error().message);
    if (v->type() == thing && v->attr("name").is_string() && v->attr("name").as_string() == "bad")
      wire::put_diags(out->mutable_diagnostics(),
                      {{Severity::Error, "Bad name", "It is bad.", {PathStep::of_attr("name")}}});
    return Status::OK;
  }
  template <class In>
  Status configure(const In* in) {
    enter("configure");
    auto v = wire::get_value(in->config(), schema.provider.block.implied_type());
    if (v && v->attr("region").is_string()) count("region " + std::string(v->attr("region").as_string()));
    count(in->terraform_version());
    return Status::OK;
  }
  Status plan(const typename P::PlanResourceChange::Request* in,
              typename P::PlanResourceChange::Response* out) {
    enter("plan");
    auto v = wire::get_value(in->proposed_new_state(), thing);
    if (!v) return Status(grpc::StatusCode::INVALID_ARGUMENT, v.error().message);
    answer("plan", v->is_null() ? *v : finished(*v, Value::unknown(Type::string())),
           out->mutable_planned_state());
    out->set_planned_private("planned by " + std::to_string(P::kVersion));
    if (in->client_capabilities().store_planned_private() && !in->planned_private().empty())
      out->set_planned_private(in->planned_private() + ", and again");
    wire::put_path(
        out->add_requires_replace(),
        {PathStep::of_attr("rule"), PathStep::of_index(Value::number(0)), PathStep::of_attr("port")});
    if (mode("defer")) wire::put_deferred(out, Deferral::AbsentPrereq);
    return Status::OK;
  }
  Status apply(const typename P::ApplyResourceChange::Request* in,
               typename P::ApplyResourceChange::Response* out) {
    enter("apply");
    auto v = wire::get_value(in->config(), thing);
    if (!v) return Status(grpc::StatusCode::INVALID_ARGUMENT, v.error().message);
    if (mode("nothing=apply")) return Status::OK;
    answer("apply", finished(*v, Value::string("i-1")), out->mutable_new_state());
    out->set_private_(in->planned_private() + ", applied");
    Value id = schema::object_of(schema.identities[0].second.block.implied_type(), {Value::string("i-1")});
    wire::put_value(out->mutable_new_identity()->mutable_identity_data(), id, id.type());
    return Status::OK;
  }
  Status read(const typename P::ReadResource::Request* in, typename P::ReadResource::Response* out) {
    enter("read");
    auto v = wire::get_value(in->current_state(), thing);
    if (!v) return Status(grpc::StatusCode::INVALID_ARGUMENT, v.error().message);
    answer("read", *v, out->mutable_new_state());
    out->set_private_(in->private_());
    return Status::OK;
  }
  Status upgrade(const typename P::UpgradeResourceState::Request* in,
                 typename P::UpgradeResourceState::Response* out) {
    enter("upgrade");
    auto flat = in->raw_state().flatmap();
    std::string name = flat.count("name") ? flat["name"] : in->raw_state().json();
    std::vector<Value> attrs;
    for (size_t i = 0; i < thing.elements().size(); ++i)
      attrs.push_back(thing.attr_names()[i].sv() == "name" ? Value::string(name)
                                                           : Value::null(thing.elements()[i]));
    answer("upgrade", schema::object_of(thing, attrs), out->mutable_upgraded_state());
    return Status::OK;
  }
  Status function(const typename P::CallFunction::Request* in, typename P::CallFunction::Response* out) {
    enter("function");
    auto v = wire::get_value(in->arguments(0), Type::string());
    if (v && v->is_string() && v->as_string() == "fail") {
      out->mutable_error()->set_text("will not");
      out->mutable_error()->set_function_argument(0);
      return Status::OK;
    }
    wire::put_value(out->mutable_result(), Value::string(std::string(v->as_string()) + "!"), Type::string());
    return Status::OK;
  }
};

#define XPLAN_METHOD(name, message, body)                                                            \
  Status name(ServerContext*, const Ns::message::Request* in, Ns::message::Response* out) override { \
    (void)in, (void)out;                                                                             \
    return body;                                                                                     \
  }
struct Ns6 {
#define XPLAN_NAME(x) using x = tfplugin6::x;
  XPLAN_NAME(GetProviderSchema)
  XPLAN_NAME(GetResourceIdentitySchemas)
  XPLAN_NAME(ValidateProviderConfig)
  XPLAN_NAME(ValidateResourceConfig)
  XPLAN_NAME(ConfigureProvider)
  XPLAN_NAME(PlanResourceChange)
  XPLAN_NAME(ApplyResourceChange)
  XPLAN_NAME(ReadResource)
  XPLAN_NAME(UpgradeResourceState)
  XPLAN_NAME(CallFunction)
  XPLAN_NAME(StopProvider)
#undef XPLAN_NAME
};
class Service6 : public tfplugin6::Provider::Service {
  using Ns = Ns6;
  Server<wire::P6> s_;

 public:
  XPLAN_METHOD(GetProviderSchema, GetProviderSchema, s_.get_schema(out))
  XPLAN_METHOD(GetResourceIdentitySchemas, GetResourceIdentitySchemas, s_.identities(out))
  XPLAN_METHOD(ValidateProviderConfig, ValidateProviderConfig, Status::OK)
  XPLAN_METHOD(ValidateResourceConfig, ValidateResourceConfig, s_.validate("validate", in, out))
  XPLAN_METHOD(ConfigureProvider, ConfigureProvider, s_.configure(in))
  XPLAN_METHOD(PlanResourceChange, PlanResourceChange, s_.plan(in, out))
  XPLAN_METHOD(ApplyResourceChange, ApplyResourceChange, s_.apply(in, out))
  XPLAN_METHOD(ReadResource, ReadResource, s_.read(in, out))
  XPLAN_METHOD(UpgradeResourceState, UpgradeResourceState, s_.upgrade(in, out))
  XPLAN_METHOD(CallFunction, CallFunction, s_.function(in, out))
  XPLAN_METHOD(StopProvider, StopProvider, (enter("stop"), Status::OK))
};
struct Ns5 {
#define XPLAN_NAME(x) using x = tfplugin5::x;
  XPLAN_NAME(GetProviderSchema)
  XPLAN_NAME(PrepareProviderConfig)
  XPLAN_NAME(ValidateResourceTypeConfig)
  XPLAN_NAME(Configure)
  XPLAN_NAME(PlanResourceChange)
  XPLAN_NAME(ApplyResourceChange)
  XPLAN_NAME(ReadResource)
  XPLAN_NAME(UpgradeResourceState)
#undef XPLAN_NAME
};
class Service5 : public tfplugin5::Provider::Service {  // an older one: no identities, functions and the like
  using Ns = Ns5;
  Server<wire::P5> s_;

 public:
  XPLAN_METHOD(GetSchema, GetProviderSchema, s_.get_schema(out))
  XPLAN_METHOD(PrepareProviderConfig, PrepareProviderConfig, prepare(out))
  XPLAN_METHOD(ValidateResourceTypeConfig, ValidateResourceTypeConfig, s_.validate("validate", in, out))
  XPLAN_METHOD(Configure, Configure, s_.configure(in))
  XPLAN_METHOD(PlanResourceChange, PlanResourceChange, s_.plan(in, out))
  XPLAN_METHOD(ApplyResourceChange, ApplyResourceChange, s_.apply(in, out))
  XPLAN_METHOD(ReadResource, ReadResource, s_.read(in, out))
  XPLAN_METHOD(UpgradeResourceState, UpgradeResourceState, s_.upgrade(in, out))

 private:
  Status prepare(tfplugin5::PrepareProviderConfig::Response* out) {
    Type t = s_.schema.provider.block.implied_type();
    wire::put_value(out->mutable_prepared_config(), schema::object_of(t, {Value::string("prepared")}), t);
    return Status::OK;
  }
};
#undef XPLAN_METHOD

std::unique_ptr<grpc::Server> running;

class Controller : public ::plugin::GRPCController::Service {
  Status Shutdown(ServerContext*, const ::plugin::Empty*, ::plugin::Empty*) override {
    count("shutdown");
    if (!mode("stubborn")) std::thread([] { running->Shutdown(); }).detach();
    return Status::OK;
  }
};
class Stdio : public ::plugin::GRPCStdio::Service {
  Status StreamStdio(ServerContext*, const ::plugin::Empty*,
                     grpc::ServerWriter<::plugin::StdioData>* writer) override {
    ::plugin::StdioData d;
    d.set_channel(::plugin::StdioData::STDERR);
    d.set_data("by way of the stream\n");
    writer->Write(d);
    return Status::OK;
  }
};

int serve() {
  std::string client = env("PLUGIN_CLIENT_CERT"), shown,
              address = "/tmp/xplan-test-" + std::to_string(getpid());
  std::shared_ptr<grpc::ServerCredentials> credentials = grpc::InsecureServerCredentials();
  if (!client.empty() && !mode("plain")) {
    auto own = wire::make_tls_identity(mode("p256") ? "P-256" : "P-521");
    grpc::SslServerCredentialsOptions o(GRPC_SSL_REQUEST_AND_REQUIRE_CLIENT_CERTIFICATE_AND_VERIFY);
    o.pem_root_certs = client;
    o.pem_key_cert_pairs.push_back({own->key, own->certificate});
    credentials = grpc::SslServerCredentials(o);
    shown = wire::handshake_certificate(own->certificate);
  }
  Service5 five;
  Service6 six;
  Controller controller;
  Stdio stdio;
  grpc::ServerBuilder b;
  b.SetMaxReceiveMessageSize(-1);
  int port = 0;
  b.AddListeningPort(mode("tcp") ? "127.0.0.1:0" : "unix:" + address, credentials, &port);
  if (mode("five"))
    b.RegisterService(&five);
  else
    b.RegisterService(&six);
  b.RegisterService(&controller);
  b.RegisterService(&stdio);
  running = b.BuildAndStart();
  if (!running) return 4;
  printf("1|%d|%s|%s|grpc|%s\n", mode("five") ? 5 : 6, mode("tcp") ? "tcp" : "unix",
         mode("tcp") ? ("127.0.0.1:" + std::to_string(port)).c_str() : address.c_str(), shown.c_str());
  fflush(stdout);
  running->Wait();
  if (mode("stubborn")) sleep(3600);
  return 0;
}

int host(const char* self) {
  auto f = make_plugin_factory({{*parse_provider_addr("test"), self, "1.0.0"}}, {.schema_cache = false});
  Diagnostics diags;
  auto p = f->start(*parse_provider_addr("test"), diags);
  for (const Diagnostic& d : diags.all()) printf("%s\n", d.detail.c_str());
  fflush(stdout);
  sleep(3600);
  return p ? 0 : 1;
}

}  // namespace
}  // namespace xplan

int main(int, char** argv) {
  using namespace xplan;
  bool plugin = !env("TF_PLUGIN_MAGIC_COOKIE").empty();
  if (!plugin && !env("XPLAN_TEST_HOST").empty()) return host(argv[0]);
  count("start " + std::to_string(getpid()));
  if (mode("garbage")) return puts("Usage: this is no plugin"), 3;
  if (mode("binary")) return fwrite("\x7f\0\xff\xfe|||\n", 1, 8, stdout), fflush(stdout), sleep(3600), 0;
  if (mode("silent")) return sleep(3600), 0;
  if (mode("panic")) return fprintf(stderr, "panic: no luck\n\ngoroutine 1\n"), 2;
  if (mode("code")) return 7;
  if (mode("old")) return puts("1|4|tcp|127.0.0.1:1|netrpc"), fflush(stdout), sleep(3600), 0;
  return serve();
}
