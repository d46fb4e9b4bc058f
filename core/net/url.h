// URLs: their hosts, references in documents, names in paths. Parsed by libcurl, so that what is checked here
// is what a request goes to.
//
// Who calls it: client.cc, installation, backends.
// Cost: the library is loaded by the first call. Thread-safety: pure functions.
#pragma once
#include <string>
#include <string_view>

namespace xplan::net {

// "host" or "host:8080": that of a URL, with the port that it names; empty when there is none.
std::string host_and_port(std::string_view url);
// "user:password", decoded: a secret.
std::string user_and_password(std::string_view url);
// The URL with this host in the place of its own; empty when that is not possible.
std::string with_host(std::string_view url, const std::string& host);
// Whether its scheme is that, in whatever case.
bool uses_https(std::string_view url);
bool uses_http(std::string_view url);
// Whether the URL's host is this machine, by name or by address.
bool on_this_machine(std::string_view url);
// An absolute or relative reference, resolved against the URL of the document that it stands in; the
// reference as it is where that is not possible.
std::string resolve_url(std::string_view base, std::string_view reference);
std::string escape_path(std::string_view segment);
// Whether it can be a name between the dots of a host: of a bucket, of a region.
bool is_host_label(std::string_view text);
// Whether there are control characters, which no part of a request may have: they could begin another line.
bool has_controls(std::string_view text);

}  // namespace xplan::net
