// What servers send: documents (base/document.h) whose strings end up in messages, addresses and paths.
//
// Who calls it: service discovery, registries, network mirrors, the list of installed modules.
// Contract: a string that is not one line of at most 8 KiB is empty; string_in() gives any.
// Thread-safety: pure functions.
#pragma once
#include <initializer_list>

#include "core/base/document.h"

namespace xplan::hosts {

std::string text_in(const Json& object, std::string_view name);
std::string text_of(const Json& string);
// Of a member of members of a document; "" where there is none.
std::string text_at(std::string_view document, std::initializer_list<std::string_view> path);

}  // namespace xplan::hosts
