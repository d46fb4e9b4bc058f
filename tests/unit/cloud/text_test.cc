// XML answers, INI files, times and messages of servers.
#include <catch2/catch.hpp>

#include "core/cloud/aws_answer.h"
#include "core/cloud/ini.h"
#include "core/cloud/time.h"
#include "core/cloud/xml.h"

using namespace xplan;
using namespace xplan::cloud;

TEST_CASE("cloud: XML is read into a tree") {
  const auto x = parse_xml(
      "<?xml version=\"1.0\"?>\n<!-- c --><a xmlns='urn:x' k='v'>1<b/><n:c xmlns:n='y'>x &amp; "
      "&#65;<![CDATA[<z>]]></n:c>2\n <c><d>deep</d></c></a>");
  REQUIRE(x);
  CHECK(x->name == "a");
  CHECK(x->text.substr(0, 2) == "12");
  REQUIRE(x->children.size() == 3);
  CHECK(x->at("b") == "");
  CHECK(x->child("b")->children.empty());
  CHECK(x->at("c") == "x & A<z>");
  CHECK(x->children[2].at("d") == "deep");
  CHECK(x->at("no/such") == "");
  CHECK(!x->child("d"));
}

TEST_CASE("cloud: XML that is broken, or means harm, is rejected") {
  std::string deep, wide = "<a>",
                    laughs = "<!DOCTYPE l [<!ENTITY a \"ha\"><!ENTITY b \"&a;&a;&a;&a;\">]><l>&b;</l>";
  for (int i = 0; i < 100; ++i) deep += "<a>";
  for (int i = 0; i < 200'000; ++i) wide += "<b/>";
  for (const auto& [text, problem] :
       {std::pair<std::string, std::string>{"", "is not well-formed"},
        {"<a>", "is not well-formed"},
        {"<a></b>", "is not well-formed"},
        {"<a/><b/>", "is not well-formed"},
        {"no xml", "is not well-formed"},
        {"<a>&unknown;</a>", ""},
        {deep, "is nested too deeply"},
        {wide + "</a>", "has too many elements"},
        {laughs, "declares a document type or entities"},
        {"<!DOCTYPE a [<!ENTITY x SYSTEM \"file:///etc/passwd\">]><a>&x;</a>",
         "declares a document type or entities"},
        {"<!DOCTYPE a SYSTEM \"http://127.0.0.1:1/x.dtd\"><a/>", "declares a document type or entities"}}) {
    INFO(text.substr(0, 60));
    const auto x = parse_xml(text);
    REQUIRE(!x);
    CHECK(x.error().message.find(problem) != std::string::npos);
  }
}

TEST_CASE("cloud: files of profiles") {
  const Ini i = parse_ini(
      "; c\nlost = 1\n[default]\naws_access_key_id=AK # not this\n AWS_Secret_Access_Key = a#b;c \n"
      "s3 =\n  max = 5\n  x=y\nregion = eu\n[ profile a b ]\r\nrole_arn = r\r\nnonsense\n=\n[broken\nx=1\n"
      "[default]\nregion=us");
  REQUIRE(i.size() == 2);
  const IniSection& d = i.at("default");
  CHECK(d.at("aws_access_key_id") == "AK");
  CHECK(d.at("aws_secret_access_key") == "a#b;c");
  CHECK(d.at("s3.max") == "5");
  CHECK(d.at("s3.x") == "y");
  CHECK(d.at("region") == "us");
  CHECK(i.at("profile a b").at("role_arn") == "r");
  CHECK(parse_ini("").empty());
}

TEST_CASE("cloud: times") {
  CHECK(parse_timestamp("2026-01-02T03:04:05Z") == 1767323045);
  CHECK(parse_timestamp("2026-01-02T03:04:05.678Z") == 1767323045);
  CHECK(parse_timestamp("2026-01-02T04:04:05+01:00") == 1767323045);
  CHECK(parse_timestamp("2026-01-01T22:34:05-04:30") == 1767323045);
  for (const char* none :
       {"", "now", "2026-01-02", "2026-01-02T03:04:05", "2026-01-02T03:04:05+1", "2026-01-02T03:04:05+99:00"})
    CHECK(!parse_timestamp(none));
  CHECK(parse_http_date("Fri, 02 Jan 2026 03:04:05 GMT") == 1767323045);
  CHECK(!parse_http_date("yesterday"));
  CHECK(basic_timestamp(1767323045) == "20260102T030405Z");
}

TEST_CASE("cloud: what answers say of a failure goes into messages on one line, and not at any length") {
  net::Answer a;
  a.status = 403;
  a.body = "<Error><Code>AccessDenied</Code><Message>No\n\x7f\xc2\x9b for you</Message></Error>";
  CHECK(describe_failure(a) == "403 Forbidden (AccessDenied: No ?? for you)");
  a.body =
      "<ErrorResponse><Error><Code>ExpiredToken</Code><Message>It ended</Message></Error></ErrorResponse>";
  CHECK(describe_failure(a) ==
        "403 Forbidden (ExpiredToken: It ended); the credentials have expired; obtain new ones");
  a.body = R"({"__type":"com.amazonaws.dynamodb.v20120810#Refused","message":"m"})";
  CHECK(failure_of(a).code == "Refused");
  CHECK(failure_of(a).message == "m");
  a.body = "{}", a.headers["x-amzn-errortype"] = "Other:http://x";
  CHECK(failure_of(a).code == "Other");
  a.body = "<Error><Message>" + std::string(100'000, 'x') + "</Message></Error>";
  CHECK(describe_failure(a).size() < 400);
  a.body = "<html>", a.headers.clear();
  CHECK(describe_failure(a) == "403 Forbidden");
  a.status = 301, a.headers["x-amz-bucket-region"] = "eu-west-1";
  CHECK(describe_failure(a) == "301; the region of the bucket is \"eu-west-1\"");
}
