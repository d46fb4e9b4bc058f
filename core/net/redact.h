// Texts that name URLs, without the credentials in them.
//
// Who calls it: whatever puts a URL, a module source or the output of a program into a
// message. Contract: of every NAME:PASSWORD@ behind "://" the password becomes xxxxx, and so does a NAME
// alone where the scheme is http or https, because tokens stand there; also where a "/", "?" or "#" in the
// password is not escaped, unless what stands before that is a port; likewise the values of the
// arguments "sshkey", "aws_access_key_secret" and "aws_access_token". Cost: linear. Thread-safety: pure.
#pragma once
#include <string>
#include <string_view>

namespace xplan::net {

std::string without_credentials(std::string_view text);
// Of one URL, what a request goes to: the values of its query are hidden as well, as tokens stand there.
std::string shown_address(std::string_view url);

}  // namespace xplan::net
