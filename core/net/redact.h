// Texts that name URLs, without the credentials in them.
//
// Who calls it: whatever puts a URL, a module source or the output of a program into a
// message. Contract: of every NAME:PASSWORD@ behind "://" the password becomes xxxxx, and so does a NAME
// alone where the scheme is http or https, because tokens stand there; likewise the value of an argument
// "sshkey". Cost: linear. Thread-safety: pure.
#pragma once
#include <string>
#include <string_view>

namespace xplan::net {

std::string without_credentials(std::string_view text);

}  // namespace xplan::net
