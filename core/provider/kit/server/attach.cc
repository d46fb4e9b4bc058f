// A provider in this process that clients attach to.
#include <fmt/format.h>
#include <unistd.h>

#include "core/base/json_writer.h"
#include "core/provider/kit/server/attach.h"
#include "core/provider/kit/server/serving.h"

namespace xplan::kit {

Attachable::Attachable(std::unique_ptr<Serving> s, int protocol)
    : serving_(std::move(s)), protocol_(protocol) {}
Attachable::~Attachable() = default;

Result<std::unique_ptr<Attachable>> Attachable::start(xplan::Provider& provider, int protocol) {
  Result<std::unique_ptr<Serving>> s = Serving::start(provider, {}, protocol, "");
  if (!s) return s.error();
  return std::unique_ptr<Attachable>(new Attachable(std::move(*s), protocol));
}

std::string Attachable::reattach(std::string_view address) const {
  JsonWriter w;
  w.begin_object();
  w.key(address);
  w.begin_object();
  w.member("Protocol", "grpc");
  w.member("ProtocolVersion", protocol_);
  w.member("Pid", static_cast<int64_t>(getpid()));
  w.member("Test", true);
  w.key("Addr");
  w.begin_object();
  w.member("Network", "unix");
  w.member("String", std::string_view(serving_->socket()));
  w.end_object();
  w.end_object();
  w.end_object();
  return w.take();
}

}  // namespace xplan::kit
