"""What servers for tests have in common: requests of HTTP/1.1 on one port, a log of them, and faults on demand.

/_control takes a JSON object by POST: {"faults": [rule…]}, {"forget": true}, and what the server itself knows; GET /_control tells
what there is and the log. A rule is {"on": {"method", "ends", "has"}, "skip": n, "times": n, "do": NAME, …}, and NAME one of:
wait (seconds), reset (the connection ends), after (done, but the answer is lost), truncate (half of the answer), say (status,
headers, body, or size: an answer of that many bytes), order (what /_control takes: somebody else is faster).
"""
import argparse, http.server, json, socket, socketserver, struct, sys, threading, time, urllib.parse


class Refusal(Exception):
    def __init__(self, status, text):
        self.status, self.text = status, text


class World:
    def __init__(self):
        self.lock = threading.RLock()
        self.faults, self.log, self.log_file = [], [], None
        self.under_way = self.most = 0  # requests, and at most since faults were set

    def forget(self):
        self.faults, self.log = [], []

    def order(self, order):
        """What a test wants to be otherwise."""

    def told(self):
        return {}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # headers and bodies are written one after the other
    world = None

    def log_message(self, *_):
        pass

    # Of a subclass: a status, headers and a body.
    def serve(self):
        raise NotImplementedError

    def refused(self, x):
        return x.status, {"Content-Type": "text/plain"}, x.text

    def handle_any(self):
        self.body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if self.path.startswith("http://"):  # as to a proxy
            self.path = "/" + self.path.split("/", 3)[3]
        self.raw_path, _, self.query = self.path.partition("?")
        self.args = dict(urllib.parse.parse_qsl(self.query, keep_blank_values=True))
        if self.raw_path == "/_control":
            return self.control()
        entry = {"method": self.command, "path": self.path, "headers": [[k, v] for k, v in self.headers.items()],
                 "body": self.body.decode(errors="replace")}
        with self.world.lock:
            self.world.under_way += 1
            self.world.most = max(self.world.most, self.world.under_way)
        rule = self.rule()
        does = rule["do"] if rule else ""
        if does == "wait":
            time.sleep(rule["seconds"])
        if does == "order":
            with self.world.lock:
                self.world.order(rule)
        if does == "reset":
            answer = None
        elif does == "say":
            body = "x" * rule["size"] if "size" in rule else rule.get("body", "")
            answer = rule.get("status", 200), rule.get("headers", {}), body
        else:
            try:
                answer = self.serve()
            except Refusal as x:
                answer = self.refused(x)
            except (ValueError, KeyError) as x:
                answer = 400, {"Content-Type": "text/plain"}, repr(x)
        if does == "after":
            answer = None
        entry["status"] = answer[0] if answer else 0
        entry["answer"] = str(answer[2])[:200] if answer else ""
        with self.world.lock:
            self.world.log.append(entry)
            self.world.under_way -= 1
            if self.world.log_file:
                print(json.dumps(entry), file=self.world.log_file, flush=True)
        if answer is None:
            self.reset()
        else:
            self.answer(*answer, cut=does == "truncate")

    do_GET = do_PUT = do_POST = do_DELETE = do_PATCH = handle_any

    def rule(self):
        with self.world.lock:
            for f in self.world.faults:
                on = f.get("on", {})
                if on.get("method") not in (None, self.command) or not self.raw_path.endswith(on.get("ends", "")):
                    continue
                if on.get("has", "") not in self.path:
                    continue
                if f.get("skip", 0) > 0:
                    f["skip"] -= 1
                    continue
                if f.get("times", 1) <= 0:
                    continue
                f["times"] = f.get("times", 1) - 1
                return f

    def reset(self):
        self.close_connection = True
        try:
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.connection.close()
        except OSError:
            pass

    def answer(self, status, headers, body=b"", cut=False):
        body = body.encode() if isinstance(body, str) else body
        try:
            self.send_response(status)
            for k, v in headers.items():
                self.send_header(k, v)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body[:len(body) // 2] if cut else body)
            self.wfile.flush()
            self.close_connection |= cut
        except OSError:
            self.close_connection = True

    def control(self):
        w = self.world
        with w.lock:
            order = json.loads(self.body or b"{}")
            if order.get("forget"):
                w.forget()
            if "faults" in order:
                w.faults, w.most = order["faults"], 0
            w.order(order)
            out = dict(w.told(), most=w.most, log=w.log if self.command == "GET" else [])
        self.answer(200, {"Content-Type": "application/json"}, json.dumps(out))


class Server(socketserver.ThreadingMixIn, http.server.HTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def handle_error(self, request, client_address):
        if not isinstance(sys.exc_info()[1], OSError):
            super().handle_error(request, client_address)


def main(doc, handler, world):
    """Prints the URL on a line, and serves until the standard input ends (or, with --stay, until it is ended)."""
    p = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--port", type=int, default=0)
    p.add_argument("--log")
    p.add_argument("--stay", action="store_true")
    args = p.parse_args()
    handler.world = world
    world.log_file = args.log and open(args.log, "a")
    server = Server(("127.0.0.1", args.port), handler)
    print("http://127.0.0.1:%d" % server.server_address[1], flush=True)
    if args.stay:
        server.serve_forever()
    else:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        sys.stdin.read()
