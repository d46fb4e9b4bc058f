// Clients: what backends of one run share, so that each server is asked for credentials and connected to
// once.
//
// Who calls it: open() of kinds whose clients can serve several backends; who has one is whoever opens many
// backends (Opening::clients).  Contract: backends share a client if all of their settings are equal but
// those that only say where on the server the states are; of these a client knows nothing. Cost: a search for
// each backend.  Thread-safety: any thread.
#pragma once
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "core/backend/backend.h"
#include "core/hosts/once_map.h"

namespace xplan::backend {

class Clients {
 public:
  // The one for this name, which says of which type it is.
  template <class Client, class Make>
  std::shared_ptr<Client> get(const std::string& name, const Make& make) {
    return std::static_pointer_cast<Client>(
        made_.get(name, [&]() -> std::shared_ptr<void> { return make(); }));
  }

 private:
  hosts::OnceMap<std::shared_ptr<void>> made_;
};

// Of a kind, with these settings, whatever the arguments `places` are.
std::string client_name(std::string_view kind, const Value& settings,
                        std::initializer_list<std::string_view> places);

template <class Client, class Settings>
std::shared_ptr<Client> client_of(const Opening& opening, const std::string& name, Settings&& settings) {
  const auto make = [&] { return std::make_shared<Client>(std::forward<Settings>(settings), opening.stop); };
  return opening.clients ? opening.clients->get<Client>(name, make) : make();
}

}  // namespace xplan::backend
