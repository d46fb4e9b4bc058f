// The arguments of the backend "oss", and how they are read. Other tools hash blocks, so the tables have
// exactly their arguments.
#include "core/backend/oss/settings.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/backend/arguments.h"
#include "core/backend/oss/profile.h"
#include "core/base/fs.h"
#include "core/net/url.h"

namespace xplan::backend::oss {
namespace {

constexpr Argument kArguments[] = {
    {"access_key", Type::string, "ALICLOUD_ACCESS_KEY ALICLOUD_ACCESS_KEY_ID"},
    {"acl"},
    {"assume_role_policy"},
    {"assume_role_role_arn", Type::string, "ALICLOUD_ASSUME_ROLE_ARN"},
    {"assume_role_session_expiration", Type::number, "ALICLOUD_ASSUME_ROLE_SESSION_EXPIRATION"},
    {"assume_role_session_name", Type::string, "ALICLOUD_ASSUME_ROLE_SESSION_NAME"},
    {"bucket"},
    {"ecs_role_name", Type::string, "ALICLOUD_ECS_ROLE_NAME"},
    {"encrypt", Type::boolean, "", "false"},
    {"endpoint", Type::string, "ALICLOUD_OSS_ENDPOINT OSS_ENDPOINT"},
    {"key", Type::string, "", "terraform.tfstate"},
    {"prefix", Type::string, "", "env:"},
    {"profile", Type::string, "ALICLOUD_PROFILE"},
    {"region", Type::string, "ALICLOUD_REGION ALICLOUD_DEFAULT_REGION"},
    {"secret_key", Type::string, "ALICLOUD_SECRET_KEY ALICLOUD_ACCESS_KEY_SECRET", {}, true},
    {"security_token", Type::string, "ALICLOUD_SECURITY_TOKEN", {}, true},
    {"shared_credentials_file", Type::string, "ALICLOUD_SHARED_CREDENTIALS_FILE", "~/.aliyun/config.json"},
    {"sts_endpoint", Type::string, "ALICLOUD_STS_ENDPOINT"},
    {"tablestore_endpoint", Type::string, "ALICLOUD_TABLESTORE_ENDPOINT"},
    {"tablestore_table"},
};

constexpr Argument kRole[] = {
    {"policy"},
    {"role_arn", Type::string, "ALICLOUD_ASSUME_ROLE_ARN"},
    {"session_expiration", Type::number, "ALICLOUD_ASSUME_ROLE_SESSION_EXPIRATION"},
    {"session_name", Type::string, "ALICLOUD_ASSUME_ROLE_SESSION_NAME"},
};

struct Url {
  std::string scheme, host;
};

// Reads arguments until the first that is wrong.
class Reader {
 public:
  explicit Reader(const Value& settings) : settings_(settings), a_(kArguments, settings) {}

  Result<OssSettings> read() {
    places();
    credentials();
    role();
    services();
    if (!problem_.empty()) return Error{problem_};
    return std::move(out_);
  }

 private:
  void wrong(std::string_view name, const std::string& problem) {
    if (problem_.empty()) problem_ = fmt::format("the argument \"{}\" {}", name, problem);
  }

  void places() {
    out_.bucket = a_.text("bucket"), out_.key = a_.text("key"), out_.acl = a_.text("acl");
    const Value& own = a_.value("prefix");  // an empty one is one
    std::string prefix = own.is_null() ? a_.text("prefix") : std::string(own.as_string());
    if (out_.bucket.empty()) wrong("bucket", "is required");
    if (!net::is_host_label(out_.bucket)) wrong("bucket", "must be the name of a bucket, such as states");
    if (out_.key.starts_with('/') || out_.key.ends_with('/'))
      wrong("key", "must not begin or end with \"/\"");
    if (prefix.starts_with('/') || prefix.starts_with("./"))
      wrong("prefix", "must not begin with \"/\" or \"./\"");
    for (const auto& [name, value] : {std::pair("key", out_.key), std::pair("prefix", prefix)}) {
      if (net::has_controls(value)) wrong(name, "must not contain control characters");
      if (value.size() > 400) wrong(name, "must have at most 400 bytes");
    }
    out_.prefix = prefix.empty() || clean_path(prefix) == "." ? "" : clean_path(prefix);
    if (out_.prefix.starts_with("..")) wrong("prefix", "must not begin with \"..\"");
    const std::string whole = clean_path(out_.prefix.empty() ? out_.key : out_.prefix + "/" + out_.key);
    if (whole == "." || whole.starts_with(".."))
      wrong("key", "must not lead outside of the bucket with \"..\"");
    if (!out_.acl.empty() && out_.acl != "private" && out_.acl != "public-read" &&
        out_.acl != "public-read-write")
      wrong("acl", "must be \"private\", \"public-read\" or \"public-read-write\"");
    const Result<bool> encrypt = a_.flag("encrypt");
    if (!encrypt && problem_.empty()) problem_ = encrypt.error().message;
    out_.encrypt = encrypt && *encrypt;
  }

  // With or without a scheme, but nothing after the host.
  Url url(std::string_view name, const char* example) {
    const std::string text = a_.text(name);
    if (text.empty()) return {};
    const std::string whole = text.find("://") == text.npos ? "https://" + text : text;
    Url out{net::uses_http(whole) ? "http://" : "https://", net::host_and_port(whole)};
    if ((!net::uses_https(whole) && !net::uses_http(whole)) || out.host.empty() ||
        whole.substr(whole.find("://") + 3) != out.host)
      wrong(name, fmt::format("must be a host name, or a URL without a path, such as {}", example));
    return out;
  }

  void credentials() {
    cloud::AlibabaSettings& to = out_.alibaba;
    to.region = a_.text("region");
    to.keys = {a_.text("access_key"), a_.text("secret_key"), a_.text("security_token")};
    to.machine_role = a_.text("ecs_role_name");
    const std::string profile = a_.text("profile");
    if (!to.keys.id.empty() || profile.empty()) {
      if (to.keys.id.empty() != to.keys.key.empty() && problem_.empty())
        problem_ = "the arguments \"access_key\" and \"secret_key\" must be set together";
      return;
    }
    Result<Profile> found = read_profile(a_.text("shared_credentials_file"), profile);
    if (!found) return wrong("profile", found.error().message);
    to.keys = found->keys;
    if (to.machine_role.empty()) to.machine_role = found->machine_role;
    if (to.region.empty()) to.region = found->region;
    profile_role_ = std::move(found->role);
  }

  // The arguments outside of the block, and the environment, count before the block: all of them, or none.
  void role() {
    const Value& blocks = *settings_.find_attr("assume_role");
    const bool block = !a_.is_set("assume_role_role_arn") && !blocks.is_null() && !blocks.elements().empty();
    const Arguments r = block ? Arguments(kRole, blocks.elements()[0]) : a_;
    const std::string at = block ? "" : "assume_role_", shown = block ? "assume_role." : "assume_role_";
    const bool own_seconds = !r.value(at + "session_expiration").is_null();
    cloud::AlibabaRole& from = profile_role_;
    if (const std::string arn = r.text(at + "role_arn"); !arn.empty()) {
      from.arn = arn;
      if (r.is_set(at + "session_name")) from.session_name = r.text(at + "session_name");
      if (r.is_set(at + "policy")) from.policy = r.text(at + "policy");
      const std::string name = at + "session_expiration";
      const Result<int64_t> seconds = r.is_set(name) ? r.number(name) : from.seconds;
      if (!seconds && problem_.empty()) problem_ = seconds.error().message;
      if (seconds) from.seconds = *seconds;
    }
    if (from.arn.empty()) return;
    // What other tools accept: the rest only where it does not stand in the configuration.
    const int64_t most = own_seconds ? 3600 : 43200;
    if (from.seconds < 900 || from.seconds > most)
      wrong(shown + "session_expiration", fmt::format("must be from 900 to {}", most));
    if (from.session_name.empty()) from.session_name = "terraform";
    out_.alibaba.role = from;
  }

  void services() {
    const std::string& region = out_.alibaba.region;
    const std::string here = region.empty() ? "cn-beijing" : region;
    if (!region.empty() && !net::is_host_label(region))
      wrong("region", "must be a region, such as cn-beijing");
    const Url sts = url("sts_endpoint", "sts.cn-beijing.aliyuncs.com");
    const Url objects = url("endpoint", "https://oss-cn-beijing.aliyuncs.com");
    const Url table = url("tablestore_endpoint", "https://INSTANCE.cn-beijing.ots.aliyuncs.com");
    if (region.empty() && (objects.host.empty() || (out_.alibaba.role && sts.host.empty())))
      wrong("region", "is required; set it, or the environment variable ALICLOUD_REGION");
    out_.alibaba.sts = sts.host.empty() ? "https://sts." + here + ".aliyuncs.com" : sts.scheme + sts.host;
    out_.scheme = objects.host.empty() ? "https://" : objects.scheme, out_.host = objects.host;
    out_.table = a_.text("tablestore_table");
    if (!out_.table.empty() && table.host.empty())
      wrong("tablestore_endpoint",
            "is required together with \"tablestore_table\"; set it, or the environment variable "
            "ALICLOUD_TABLESTORE_ENDPOINT");
    out_.table_url = table.scheme + table.host;
    out_.instance = table.host.substr(0, table.host.find('.'));
  }

  const Value& settings_;
  const Arguments a_;
  cloud::AlibabaRole profile_role_;  // that of the profile, then the one to assume
  OssSettings out_;
  std::string problem_;
};

}  // namespace

const schema::Block& oss_schema() {
  static const schema::Block block = schema_of(kArguments, {{"assume_role", kRole, schema::Nesting::Set}});
  return block;
}

Result<OssSettings> read_settings(const Value& settings) {
  return Reader(settings).read();
}

}  // namespace xplan::backend::oss
