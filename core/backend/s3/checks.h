// What is wrong with an argument of the backend "s3": a phrase that goes on from its name; empty when nothing
// is.
//
// Who calls it: settings.cc.  Cost: linear. Thread-safety: pure.
#pragma once
#include <string>
#include <string_view>

namespace xplan::backend::s3 {

std::string bucket_problem(std::string_view s);
std::string key_problem(std::string_view s);     // of an object, or a part of one
std::string name_problem(std::string_view s);    // what may stand in a host name
std::string region_problem(std::string_view s);  // the form of the regions that AWS has
std::string arn_problem(std::string_view s);
std::string kms_key_problem(std::string_view s);
std::string session_name_problem(std::string_view s);
std::string endpoint_problem(std::string_view s);
std::string customer_key_problem(const std::string& s, std::string& raw);  // decodes it

}  // namespace xplan::backend::s3
