// The sources of keys: each asks one place.
//
// Who calls it: aws_credentials.cc, and the sources one another.
// Contract: that of aws_credentials.h. An error tells of this source alone. Cost: a file, a program, or
// requests. Thread-safety: pure, but for reading the environment and files.
#pragma once
#include <string>
#include <string_view>

#include "core/cloud/aws_credentials.h"
#include "core/cloud/ini.h"

namespace xplan::cloud {

// What a source may use.
struct AwsAsking {
  const AwsSettings& settings;
  AwsClient& client;
  Stop stop;
  int program_millis = 60'000;  // that a program may take
};
Result<AwsKeys> find_keys(const AwsAsking& a);  // the whole chain

// The user's files, with those of the same name in both put together; keys of the credentials files win.
struct AwsProfiles {
  std::map<std::string, IniSection, std::less<>> profiles, sso_sessions, services;
};
Result<AwsProfiles> read_profiles(const AwsSettings& s);
std::string value_in(const IniSection& section, std::string_view name);  // "": there is none
std::string home_file(std::string_view name);

// From STS, with the keys of `by`; a web identity needs none.
Result<AwsKeys> assume_role(const AwsAsking& a, const AwsRole& role, const AwsKeys& by);
Result<AwsKeys> assume_web_identity(const AwsAsking& a, const AwsRole& role);

// A program that prints them.
Result<AwsKeys> keys_of_program(const AwsAsking& a, const std::string& command);
// Single sign-on: the token that `aws sso login` left. That of an sso-session is renewed when it has ended or
// is `refused`, and kept where it was; an error says why not, and what to do.
struct SignOn {
  std::string name, region;  // of the sso-session; without one, the name is the start URL
  bool session = false;
};
Result<std::string> sign_on_token(const AwsAsking& a, const SignOn& s, const std::string& refused = {});
Result<AwsKeys> keys_of_sign_on(const AwsAsking& a, const IniSection& profile, const AwsProfiles& all);
bool in_container();
Result<AwsKeys> keys_of_container(const AwsAsking& a);
Result<AwsKeys> keys_of_machine(const AwsAsking& a);

// {"AccessKeyId", "SecretAccessKey", NAME of the token, "Expiration"}, as programs and services give them.
Result<AwsKeys> keys_in(const std::string& json, const char* token_name);

}  // namespace xplan::cloud
