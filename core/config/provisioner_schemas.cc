// The arguments of provisioner and connection blocks, as schemas, so that they are validated and evaluated
// like any other body.
#include "core/config/config.h"

namespace xplan::config {
namespace {

enum class Need : bool { Optional, Required };

schema::Attribute attribute(std::string_view name, Type type, Need need = Need::Optional) {
  schema::Attribute a;
  a.name = Symbol(name);
  a.type = type;
  a.required = need == Need::Required;
  a.optional = !a.required;
  return a;
}

schema::Block frozen(std::vector<schema::Attribute> attributes) {
  schema::Block b;
  b.attributes = std::move(attributes);
  b.freeze();
  return b;
}

}  // namespace

bool needs_connection(Symbol provisioner) {
  return provisioner.sv() == "remote-exec" || provisioner.sv() == "file";
}

const schema::Block* provisioner_schema(Symbol type) {
  static const schema::Block local_exec =
      frozen({attribute("command", Type::string(), Need::Required),
              attribute("interpreter", Type::list(Type::string())), attribute("working_dir", Type::string()),
              attribute("environment", Type::map(Type::string())), attribute("quiet", Type::boolean())});
  static const schema::Block remote_exec =
      frozen({attribute("inline", Type::list(Type::string())), attribute("script", Type::string()),
              attribute("scripts", Type::list(Type::string()))});
  static const schema::Block file =
      frozen({attribute("source", Type::string()), attribute("content", Type::string()),
              attribute("destination", Type::string(), Need::Required)});
  if (type.sv() == "local-exec") return &local_exec;
  if (type.sv() == "remote-exec") return &remote_exec;
  if (type.sv() == "file") return &file;
  return nullptr;
}

const schema::Block& connection_schema() {
  static const schema::Block block = [] {
    std::vector<schema::Attribute> list;
    for (std::string_view name : {"type",
                                  "user",
                                  "password",
                                  "host",
                                  "timeout",
                                  "script_path",
                                  "target_platform",
                                  "private_key",
                                  "certificate",
                                  "host_key",
                                  "agent_identity",
                                  "proxy_scheme",
                                  "proxy_host",
                                  "proxy_user_name",
                                  "proxy_user_password",
                                  "bastion_host",
                                  "bastion_user",
                                  "bastion_password",
                                  "bastion_private_key",
                                  "bastion_certificate",
                                  "bastion_host_key",
                                  "cacert"}) {
      list.push_back(attribute(name, Type::string()));
    }
    for (std::string_view name : {"port", "proxy_port", "bastion_port"})
      list.push_back(attribute(name, Type::number()));
    for (std::string_view name : {"agent", "https", "insecure", "use_ntlm"})
      list.push_back(attribute(name, Type::boolean()));
    return frozen(std::move(list));
  }();
  return block;
}

}  // namespace xplan::config
