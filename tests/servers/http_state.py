#!/usr/bin/env python3
"""A server of the backend "http", for tests: any path is a state, and has a lock of its own.

    http_state.py [--port N] [--log FILE] [--port-file FILE] [--tls CERTIFICATE KEY] [--user NAME:PASSWORD]

GET, POST, PUT, PATCH and DELETE of PATH are about its state, LOCK and UNLOCK about its lock; so are the methods POST or PUT, and
DELETE, of PATH/lock, as some servers have it. What is locked can only be written with ?ID= of the lock. Each request is a line
of JSON in the log: method, path, headers, body, status.

PUT /.faults sets what happens instead, a list in JSON; of the first entry that fits, one time is used up:
  {"method": "POST", "path": "/a", "times": 2, "status": 500, "headers": {}, "body": "text",
   "delay": 0.5, "reset": true, "truncate": 10, "also": true}
"delay" seconds pass first; "reset" ends the connection; "truncate" sends that many bytes of the answer; "also": the request is
carried out all the same. An entry with nothing but a delay is only late.
"""
import argparse
import base64
import hashlib
import json
import socket
import ssl
import struct
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

states, locks, faults = {}, {}, []
mutex = threading.Lock()
options = None


def damaged(headers, body):
    said = headers.get("Content-MD5")
    return said and said != base64.b64encode(hashlib.md5(body).digest()).decode()


def answer_to(method, path, query, headers, body):
    """What the state server itself says: status and body."""
    if damaged(headers, body):
        return 400, b"the body does not have the Content-MD5 that was sent with it"
    about_lock = path.endswith("/lock")
    if about_lock:
        path = path[:-len("/lock")]
        method = {"POST": "LOCK", "PUT": "LOCK", "DELETE": "UNLOCK"}.get(method, method)
    held = locks.get(path)
    if method == "LOCK":
        if held:
            return 423, held
        locks[path] = body
        return 200, b""
    if method == "UNLOCK":
        if held and body and json.loads(body).get("ID") != json.loads(held)["ID"]:
            return 409, held
        locks.pop(path, None)
        return 200, b""
    if method == "GET":
        return (200, states[path]) if path in states else (404, b"")
    if held and query.get("ID") != [json.loads(held)["ID"]]:
        return 409, held
    if method == "DELETE":
        states.pop(path, None)
    else:
        states[path] = body
    return 200, b""


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # headers and bodies are written one after the other

    def body(self):
        if "chunked" not in self.headers.get("Transfer-Encoding", ""):
            return self.rfile.read(int(self.headers.get("Content-Length", 0)))
        out = b""
        while size := int(self.rfile.readline().split(b";")[0], 16):
            out += self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()
        return out

    def fault(self, path):
        for f in faults:
            if f.get("times", 1) > 0 and f.get("method", self.command) == self.command and f.get("path", path) == path:
                f["times"] = f.get("times", 1) - 1
                return f
        return {}

    def carry_out(self):
        url, body = urlsplit(self.path), self.body()
        if url.path == "/.faults":
            with mutex:
                faults[:] = json.loads(body or "[]")
            return self.send(200, b"")
        with mutex:
            fault = self.fault(url.path)
            replaced = fault.keys() & {"status", "reset"}
            status, out = 0, b""
            if not self.admitted():
                status = 401
            elif not replaced or fault.get("also"):
                status, out = answer_to(self.command, url.path, parse_qs(url.query), self.headers, body)
            if "status" in fault:
                status, out = fault["status"], fault.get("body", "").encode()
            entry = {"method": self.command, "path": self.path, "headers": dict(self.headers),
                     "body": body.decode(errors="replace"), "status": 0 if "reset" in fault else status}
            if options.log:
                with open(options.log, "a") as log:
                    log.write(json.dumps(entry) + "\n")
        time.sleep(fault.get("delay", 0))
        if "reset" in fault:
            return self.reset()
        self.send(status, out, fault.get("headers", {}), fault.get("truncate"))

    def admitted(self):
        given = self.headers.get("Authorization", "")
        return not options.user or given == "Basic " + base64.b64encode(options.user.encode()).decode()

    def send(self, status, body, headers=(), truncate=None):
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        for name in headers:
            self.send_header(name, headers[name])
        self.end_headers()
        self.wfile.write(body if truncate is None else body[:truncate])
        self.close_connection = truncate is not None

    def reset(self):
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.close_connection = True
        self.connection.close()

    def log_message(self, *_):
        pass

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = do_LOCK = do_UNLOCK = carry_out


class Server(ThreadingHTTPServer):
    def handle_error(self, request, client_address):
        if not isinstance(sys.exc_info()[1], OSError):  # whoever asked has gone
            super().handle_error(request, client_address)


def main():
    global options
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--log")
    parser.add_argument("--port-file")
    parser.add_argument("--tls", nargs=2)
    parser.add_argument("--user")
    options = parser.parse_args()
    server = Server(("127.0.0.1", options.port), Handler)
    if options.tls:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(*options.tls)
        server.socket = context.wrap_socket(server.socket, server_side=True)
    if options.port_file:
        with open(options.port_file, "w") as f:
            f.write(str(server.server_address[1]))
    server.serve_forever()


if __name__ == "__main__":
    main()
