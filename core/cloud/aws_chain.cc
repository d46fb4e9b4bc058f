// The credential chain: which source is asked, and which roles are assumed on top of it.
#include <fmt/format.h>

#include <algorithm>

#include "core/base/shown_text.h"
#include "core/base/text.h"
#include "core/cloud/aws_sources.h"

namespace xplan::cloud {
namespace {

constexpr size_t kProfiles = 16;  // that one may lead through

class Chain {
 public:
  explicit Chain(const AwsAsking& a) : a_(a), s_(a.settings) {}

  Result<AwsKeys> first() {
    if (!s_.keys.access_key.empty() && !s_.keys.secret_key.empty()) return s_.keys;
    if (s_.web_identity) return assume_web_identity(a_, *s_.web_identity);
    if (!s_.profile.empty()) return named_profile(s_.profile);
    if (AwsKeys k{variable("AWS_ACCESS_KEY_ID"), variable("AWS_SECRET_ACCESS_KEY"),
                  variable("AWS_SESSION_TOKEN")};
        !k.access_key.empty() && !k.secret_key.empty())
      return k;
    AwsRole web;
    web.token_file = variable("AWS_WEB_IDENTITY_TOKEN_FILE"), web.arn = variable("AWS_ROLE_ARN");
    web.session_name = variable("AWS_ROLE_SESSION_NAME");
    if (!web.token_file.empty() && !web.arn.empty()) return assume_web_identity(a_, web);
    std::string name = variable("AWS_PROFILE");
    if (name.empty()) name = variable("AWS_DEFAULT_PROFILE");
    if (!name.empty()) return named_profile(name);
    if (Result<void> read = read_files(); !read) return read.error();
    return profile("default");
  }

 private:
  Result<void> read_files() {
    if (read_) return {};
    Result<AwsProfiles> all = read_profiles(s_);
    if (!all) return all.error();
    all_ = std::move(*all);
    read_ = true;
    return {};
  }
  Result<AwsKeys> named_profile(const std::string& name) {
    if (Result<void> read = read_files(); !read) return read.error();
    if (all_.profiles.count(name)) return profile(name);
    return Error{fmt::format("the AWS profile \"{}\" does not exist", shown_text(name))};
  }
  Result<AwsKeys> profile(const std::string& name) {
    const IniSection& p = all_.profiles[name];
    if (value_in(p, "role_arn").empty() || std::count(seen_.begin(), seen_.end(), name) != 0)
      return keys_in_profile(p, name);
    seen_.push_back(name);
    if (seen_.size() > kProfiles)
      return Error{"too many AWS profiles refer to each other with source_profile"};
    if (!value_in(p, "mfa_serial").empty())
      return Error{
          fmt::format("the AWS profile \"{}\" requires an MFA code (mfa_serial), which is not supported; "
                      "obtain temporary credentials with it first",
                      shown_text(name))};
    AwsRole role;
    role.arn = value_in(p, "role_arn"), role.session_name = value_in(p, "role_session_name");
    role.external_id = value_in(p, "external_id"), role.token_file = value_in(p, "web_identity_token_file");
    const std::string seconds = value_in(p, "duration_seconds");
    role.seconds = seconds.empty() ? 900 : std::atoll(seconds.c_str());
    if (!role.token_file.empty()) return assume_web_identity(a_, role);
    const Result<AwsKeys> by = source_of(p, name);
    return by ? assume_role(a_, role, *by) : by;
  }
  // Who is to assume the profile's role.
  Result<AwsKeys> source_of(const IniSection& p, const std::string& name) {
    const std::string source = value_in(p, "source_profile"), from = value_in(p, "credential_source");
    if (!source.empty() && !from.empty())
      return Error{fmt::format("the AWS profile \"{}\" has both source_profile and credential_source",
                               shown_text(name))};
    if (!source.empty()) {
      // A profile may name itself, for the keys that stand in it; longer ways back are circles.
      if (source != name && std::count(seen_.begin(), seen_.end(), source) != 0)
        return Error{fmt::format("the AWS profile \"{}\" refers back to itself with source_profile",
                                 shown_text(source))};
      return named_profile(source);
    }
    if (from == "Environment") return environment();
    if (from == "EcsContainer") return keys_of_container(a_);
    if (from == "Ec2InstanceMetadata") return keys_of_machine(a_);
    return Error{fmt::format(
        "the AWS profile \"{}\" has role_arn, but neither source_profile nor a credential_source that "
        "is supported",
        shown_text(name))};
  }
  Result<AwsKeys> environment() {
    AwsKeys k{variable("AWS_ACCESS_KEY_ID"), variable("AWS_SECRET_ACCESS_KEY"),
              variable("AWS_SESSION_TOKEN")};
    if (!k.access_key.empty() && !k.secret_key.empty()) return k;
    return Error{"the environment variables AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are not set"};
  }
  Result<AwsKeys> keys_in_profile(const IniSection& p, const std::string& name) {
    AwsKeys k{value_in(p, "aws_access_key_id"), value_in(p, "aws_secret_access_key"),
              value_in(p, "aws_session_token")};
    if (!k.access_key.empty() && !k.secret_key.empty()) return k;
    if (p.count("sso_session") || p.count("sso_start_url")) return keys_of_sign_on(a_, p, all_);
    if (const std::string command = value_in(p, "credential_process"); !command.empty())
      return keys_of_program(a_, command);
    if (in_container()) return keys_of_container(a_);
    const Result<AwsKeys> machine = keys_of_machine(a_);
    if (machine || stopped(a_.stop)) return machine;
    return Error{fmt::format(
        "no valid credential sources found: {}the environment variables and the AWS profile \"{}\" contain "
        "no "
        "credentials, and {}; set {}the environment variables AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY",
        s_.has_arguments ? "the arguments access_key and secret_key, " : "", shown_text(name),
        machine.error().message, s_.has_arguments ? "access_key and secret_key, profile, or " : "")};
  }

  const AwsAsking& a_;
  const AwsSettings& s_;
  AwsProfiles all_;
  bool read_ = false;
  std::vector<std::string> seen_;
};

}  // namespace

Result<AwsKeys> find_keys(const AwsAsking& a) {
  Result<AwsKeys> keys = Chain(a).first();
  if (!keys || !a.settings.role) return keys;
  return assume_role(a, *a.settings.role, *keys);
}

}  // namespace xplan::cloud
