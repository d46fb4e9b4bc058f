// TLS of requests: whose certificates are trusted, the client's own certificate, and tokens. The server is a
// few lines of Python, as the tests of installation have it.
#include <signal.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <string>

#include "core/base/fs.h"
#include "core/base/spawn.h"
#include "core/net/client.h"
#include "tests/support/small_server.h"

using namespace xplan;
using namespace xplan::net;

namespace {

const std::string kData = std::string(TESTDATA) + "/../tests/golden/install_data/";

// Answers with what came as a token, or leads to the address in the path "/to/ADDRESS".
constexpr const char* kServer = R"(
import http.server, ssl, sys
class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        body = self.headers.get("Authorization", "").encode()
        away = self.path.startswith("/to/")
        self.send_response(302 if away else 200)
        if away:
            self.send_header("Location", self.path[4:])
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
    def log_message(self, *args):
        pass
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
server.handle_error = lambda *about: None
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(sys.argv[1] + "server.pem")
if sys.argv[2] == "both":
    context.load_verify_locations(sys.argv[1] + "ca.pem")
    context.verify_mode = ssl.CERT_REQUIRED
server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
print(server.server_port, flush=True)
server.serve_forever()
)";

class TlsServer {
 public:
  explicit TlsServer(const char* who) {
    Pipe pipe;
    REQUIRE(pipe.open());
    SpawnRequest r;
    r.arguments = {"python3", "-c", kServer, kData, who};
    r.environment = environment_with({});
    r.out = pipe.write;
    const Result<pid_t> child = spawn(r);
    REQUIRE(child);
    child_ = *child;
    pipe.close_write();
    std::string port;
    for (char c; ::read(pipe.read, &c, 1) == 1 && c != '\n';) port += c;
    REQUIRE_FALSE(port.empty());
    url = "https://localhost:" + port + "/";
  }
  ~TlsServer() {
    ::kill(child_, SIGKILL);
    reap(child_, Rest::Killed);
  }
  std::string url;

 private:
  pid_t child_ = -1;
};

Result<Answer> get(const std::string& url, ClientOptions options, const std::string& token = "") {
  Request r;
  r.url = url;
  r.token = token;
  return Client(std::move(options)).send(r);
}

}  // namespace

TEST_CASE("tls: only authorities that are trusted vouch for a server") {
  const TlsServer server("server");
  const std::string ca = *real_fs().read(kData + "ca.pem");
  const Result<Answer> unknown = get(server.url, {});
  REQUIRE_FALSE(unknown);
  CHECK(unknown.error().message.find("certificate") != std::string::npos);
  ClientOptions trusting;
  trusting.authorities = ca;
  const Result<Answer> known = get(server.url, trusting, "tok");
  REQUIRE(known);
  CHECK(known->body == "Bearer tok");
  ClientOptions careless;
  careless.verify = false;
  CHECK(get(server.url, careless));
}

TEST_CASE("tls: https is not left, and in capitals it is https, too") {
  const TlsServer server("server");
  test::SmallServer plain([](const test::Asked&) { return test::SmallServer::answer("200 OK"); });
  ClientOptions options;
  options.authorities = *real_fs().read(kData + "ca.pem");
  for (const char* scheme : {"https", "HTTPS"}) {
    const std::string url = scheme + server.url.substr(5);
    const Result<Answer> left = get(url + "to/" + plain.url, options);
    REQUIRE_FALSE(left);
    CHECK(left.error().message.find("without https") != std::string::npos);
    const Result<Answer> with_token = get(url, options, "tok");
    REQUIRE(with_token);
    CHECK(with_token->body == "Bearer tok");
  }
  CHECK(plain.asked().empty());
}

TEST_CASE("tls: the client shows its own certificate to a server that wants one") {
  const TlsServer server("both");
  ClientOptions options;
  options.authorities = *real_fs().read(kData + "ca.pem");
  CHECK_FALSE(get(server.url, options));
  options.certificate = options.private_key = *real_fs().read(kData + "server.pem");
  const Result<Answer> answer = get(server.url, options);
  INFO((answer ? "" : answer.error().message));
  REQUIRE(answer);
  CHECK(answer->status == 200);
  options.private_key = "nonsense";
  CHECK_FALSE(get(server.url, options));
}

// The server's certificate is for localhost and 127.0.0.1.
TEST_CASE("tls: a server may be known by another name than that of its host") {
  const TlsServer server("server");
  const std::string port = server.url.substr(server.url.rfind(':'));
  ClientOptions options;
  options.authorities = *real_fs().read(kData + "ca.pem");
  const std::string other = "https://127.1" + port;
  options.server_name = "elsewhere.example";
  const Result<Answer> wrong = get(server.url, options);
  REQUIRE_FALSE(wrong);
  CHECK(wrong.error().message.find("elsewhere.example") != std::string::npos);
  options.server_name = "localhost";
  const Result<Answer> right = get(other, options, "tok");
  INFO((right ? "" : right.error().message));
  REQUIRE(right);
  CHECK(right->body == "Bearer tok");
}
