// The arguments of the backend "cos", and how they are read. Other tools hash blocks, so the tables have
// exactly their arguments.
#include "core/backend/cos/settings.h"

#include <fmt/format.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "core/backend/arguments.h"
#include "core/base/document.h"
#include "core/base/fs.h"
#include "core/net/url.h"

namespace xplan::backend::cos {
namespace {

constexpr Argument kArguments[] = {
    {"accelerate", Type::boolean, "", "false"},
    {"acl", Type::string, "", "private"},
    {"bucket"},
    {"cam_role_name", Type::string, "TENCENTCLOUD_CAM_ROLE_NAME"},
    {"domain", Type::string, "TENCENTCLOUD_DOMAIN", "tencentcloudapi.com"},
    {"encrypt", Type::boolean, "", "true"},
    {"endpoint", Type::string, "TENCENTCLOUD_ENDPOINT"},
    {"key", Type::string, "", "terraform.tfstate"},
    {"prefix"},
    {"profile", Type::string, "TENCENTCLOUD_PROFILE"},
    {"region", Type::string, "TENCENTCLOUD_REGION"},
    {"secret_id", Type::string, "TENCENTCLOUD_SECRET_ID"},
    {"secret_key", Type::string, "TENCENTCLOUD_SECRET_KEY", {}, true},
    {"security_token", Type::string, "TENCENTCLOUD_SECURITY_TOKEN", {}, true},
    {"shared_credentials_dir", Type::string, "TENCENTCLOUD_SHARED_CREDENTIALS_DIR"},
};

constexpr Argument kRole[] = {
    {"external_id"},
    {"policy"},
    {"role_arn", Type::string, "TENCENTCLOUD_ASSUME_ROLE_ARN"},
    {"session_duration", Type::number, "TENCENTCLOUD_ASSUME_ROLE_SESSION_DURATION", "7200"},
    {"session_name", Type::string, "TENCENTCLOUD_ASSUME_ROLE_SESSION_NAME"},
};

// Reads arguments until the first that is wrong.
class Reader {
 public:
  explicit Reader(const Value& settings) : settings_(settings), a_(kArguments, settings) {}

  Result<CosSettings> read() {
    places();
    service();
    credentials();
    role();
    if (!problem_.empty()) return Error{problem_};
    return std::move(out_);
  }

 private:
  void wrong(std::string_view name, const std::string& problem) {
    if (problem_.empty()) problem_ = fmt::format("the argument \"{}\" {}", name, problem);
  }
  bool flag(std::string_view name) {
    const Result<bool> on = a_.flag(name);
    if (!on && problem_.empty()) problem_ = on.error().message;
    return on && *on;
  }

  void places() {
    out_.bucket = a_.text("bucket"), out_.key = a_.text("key"), out_.acl = a_.text("acl");
    out_.encrypt = flag("encrypt");
    std::string prefix = a_.text("prefix");
    if (out_.bucket.empty()) wrong("bucket", "is required");
    if (!net::is_host_label(out_.bucket))
      wrong("bucket", "must be the name of a bucket, such as states-1250000000");
    if (out_.key.starts_with('/') || out_.key.ends_with('/'))
      wrong("key", "must not begin or end with \"/\"");
    if (prefix.starts_with('/') || prefix.starts_with("./"))
      wrong("prefix", "must not begin with \"/\" or \"./\"");
    for (const auto& [name, value] : {std::pair("key", out_.key), std::pair("prefix", prefix)}) {
      if (net::has_controls(value)) wrong(name, "must not contain control characters");
      if (value.size() > 400) wrong(name, "must have at most 400 bytes");
    }
    if (!prefix.empty()) prefix = clean_path(prefix);
    if (prefix == ".." || prefix.starts_with("../")) wrong("prefix", "must not begin with \"..\"");
    out_.prefix = prefix == "." ? "" : prefix;
    if (problem_.empty()) problem_ = a_.empty({"acl"});
    if (out_.acl != "private" && out_.acl != "public-read")
      wrong("acl", "must be \"private\" or \"public-read\"");
  }

  void service() {
    cloud::TencentSettings& t = out_.tencent;
    t.region = a_.text("region"), t.domain = a_.text("domain");
    const std::string endpoint = a_.text("endpoint");
    if (t.region.empty())
      wrong("region", "is required; set it, or the environment variable TENCENTCLOUD_REGION");
    if (!net::is_host_label(t.region)) wrong("region", "must be a region, such as ap-guangzhou");
    if (net::host_and_port("https://" + t.domain) != t.domain || net::has_controls(t.domain))
      wrong("domain", "must be a host name, such as tencentcloudapi.com");
    const std::string host =
        flag("accelerate") ? "cos.accelerate.myqcloud.com" : "cos." + t.region + ".myqcloud.com";
    out_.base = "https://" + out_.bucket + "." + host;
    if (endpoint.empty()) return;
    const size_t from = endpoint.find("://");
    const std::string own = net::host_and_port(endpoint);
    if (from == endpoint.npos || (!net::uses_https(endpoint) && !net::uses_http(endpoint)) ||
        endpoint.substr(from + 3) != own || own.empty())
      return wrong("endpoint", "must be a URL without a path, such as https://cos-internal." + t.region +
                                   ".tencentcos.cn");
    out_.base = endpoint.substr(0, from + 3) + out_.bucket + "." + own;
  }

  void credentials() {
    cloud::TencentKeys& keys = out_.tencent.keys;
    keys = {a_.text("secret_id"), a_.text("secret_key"), a_.text("security_token")};
    out_.tencent.machine_role = a_.text("cam_role_name");
    if (keys.id.empty() != keys.key.empty() && problem_.empty())
      problem_ = "the arguments \"secret_id\" and \"secret_key\" must be set together";
    if (const std::string profile = a_.text("profile"); keys.id.empty() && !profile.empty())
      from_profile(profile);
  }

  // ~/.tccli/NAME.credential, as Tencent Cloud's own program leaves it.
  void from_profile(const std::string& profile) {
    const char* home = std::getenv("HOME");
    std::string dir = a_.text("shared_credentials_dir");
    if (dir.empty()) dir = std::string(home ? home : "") + "/.tccli";
    const Result<std::string> text = real_fs().read(dir + "/" + profile + ".credential");
    if (!text) return wrong("profile", "names credentials that are not available: " + text.error().message);
    const Result<Json> doc = parse_document(*text);
    if (!doc || string_in(*doc, "secretId").empty() || string_in(*doc, "secretKey").empty())
      return wrong("profile", "names a file that does not contain credentials");
    out_.tencent.keys = {string_in(*doc, "secretId"), string_in(*doc, "secretKey"), string_in(*doc, "token")};
  }

  void role() {
    const Value& blocks = *settings_.find_attr("assume_role");
    const bool here = !blocks.is_null() && !blocks.elements().empty();
    const Arguments r(kRole, here ? blocks.elements()[0] : none_);
    cloud::TencentRole out{r.text("role_arn"), r.text("session_name"), r.text("policy"),
                           r.text("external_id")};
    if (!here && (out.arn.empty() || out.session_name.empty())) return;
    if (out.arn.empty()) wrong("assume_role.role_arn", "is required");
    if (out.session_name.empty()) wrong("assume_role.session_name", "is required");
    const Result<int64_t> seconds = r.number("session_duration");
    if (!seconds && problem_.empty()) problem_ = seconds.error().message;
    if (seconds && (*seconds < 0 || *seconds > 43200))
      wrong("assume_role.session_duration", "must be at most 43200");
    if (seconds) out.seconds = *seconds;
    out_.tencent.role = std::move(out);
  }

  const Value& settings_;
  const Arguments a_;
  const Value none_;
  CosSettings out_;
  std::string problem_;
};

}  // namespace

const schema::Block& cos_schema() {
  static const schema::Block block = schema_of(kArguments, {{"assume_role", kRole, schema::Nesting::Set}});
  return block;
}

Result<CosSettings> read_settings(const Value& settings) {
  return Reader(settings).read();
}

}  // namespace xplan::backend::cos
