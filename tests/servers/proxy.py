#!/usr/bin/env python3
"""A proxy for tests between a client and a server: it passes on what they say to each other, and spoils it on demand.

    proxy.py --to HOST:PORT [--port N] [--tcp] [--certificate FILE] [FAULT…]

It understands HTTP/1.1; what a client asks it to CONNECT to is decrypted here, with a certificate for all the hosts of azurerm.py,
cos.py and hcp.py, and goes through the server, which is a proxy itself. With --tcp, it passes on bytes. It prints its URL on a line, and
the file of its certificate if it has one. Tests use the class Proxy, whose faults may change at any time.

A FAULT is an object: {"do": NAME, "when": regular expression, "every": n, "skip": n, "times": n, …}. It concerns requests in which the
expression is found (head and body; with --tcp, what came at once); of these every nth, after the first ones, for so many times. NAME is
one of
  wait (seconds)          the request is late
  answer (status, headers, body)  instead of the server
  reset                   the connection is reset before the server hears anything
  cut_request             the server gets half of the request, then both connections are reset
  lost                    the server answers, but the connection is reset
  cut_answer              half of the answer comes, then a reset
  truncate, cut_head      half of the answer's body, or of its head, comes, then the end of the connection
  damage, damage_request  a bit of the answer's body, or of the request's, is another one
  down (seconds)          all connections end, and new ones are refused, for a while or until heal()
  call (what)             a function is called, then the request goes on
"""
import argparse, json, os, random, re, socket, ssl, struct, subprocess, sys, tempfile, threading, time

NAMES = ["*.blob.core.windows.net", "login.microsoftonline.com", "management.azure.com", "*.cos.ap-beijing.myqcloud.com", "tag.tencentcloudapi.com",
         "sts.tencentcloudapi.com", "*.example.test"]


def make_certificate(file, names):
    """A server's side of TLS for these names; clients trust the file."""
    with tempfile.TemporaryDirectory() as folder:
        key = os.path.join(folder, "key")
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "30", "-subj", "/CN=test",
                        "-addext", "subjectAltName=" + ",".join("DNS:" + n for n in names), "-keyout", key, "-out", file],
                       check=True, stderr=subprocess.DEVNULL)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(file, key)
        return context


class Ended(Exception):
    """The other side has closed the connection."""


class Stream:
    """A socket, and what was read from it too early."""

    def __init__(self, s):
        self.socket, self.ahead = s, b""

    def more(self):
        data = self.socket.recv(65536)
        if not data:
            raise Ended()
        self.ahead += data

    def until(self, end):
        while end not in self.ahead:
            self.more()
        return self.exactly(self.ahead.index(end) + len(end))

    def exactly(self, n):
        while len(self.ahead) < n:
            self.more()
        out, self.ahead = self.ahead[:n], self.ahead[n:]
        return out

    def body(self, head, answer=False):
        """As it comes, with the sizes of chunks."""
        if m := re.search(rb"(?i)\r\ncontent-length: *(\d+)", head):
            return self.exactly(int(m[1]))
        if re.search(rb"(?i)\r\ntransfer-encoding: *chunked", head):
            out = b""
            while True:
                line = self.until(b"\r\n")
                size = int(line.split(b";")[0], 16)
                out += line + self.exactly(size) + self.until(b"\r\n")
                if not size:
                    return out
        try:
            while answer:
                self.more()
        except Ended:
            return self.exactly(len(self.ahead))
        return b""

    def reset(self):
        try:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.socket.close()
        except OSError:
            pass

    def end(self, how=socket.SHUT_RDWR):
        """Whoever reads or writes hears of it. Only that thread closes: the number of a closed file is soon that of another."""
        try:
            self.socket.shutdown(how)
        except OSError:
            pass

    def close(self):
        self.end()
        self.socket.close()


def damaged(body):
    middle = len(body) // 2
    return body[:middle] + bytes([body[middle] ^ 1]) + body[middle + 1:] if body else body


class Proxy:
    """Between clients and the server at `to`, until close(). `skew` is added to the time of answers, in seconds."""

    def __init__(self, to, tcp=False, context=None, port=0):
        self.to, self.tcp, self.context, self.lock = to, tcp, context, threading.RLock()
        self.faults, self.streams, self.skew, self.requests, self.timer = [], set(), 0, [], None
        self.listener, self.port = None, port
        self.up()

    @property
    def address(self):
        return "127.0.0.1:%d" % self.port

    def up(self):
        with self.lock:
            if self.listener:
                return
            # Not among the ports that the system gives to others meanwhile.
            for port in [self.port] if self.port else random.sample(range(18000, 32000), 200):
                s = socket.socket()
                s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                try:
                    s.bind(("127.0.0.1", port))
                    break
                except OSError:
                    s.close()
            s.listen(128)
            self.listener, self.port = s, s.getsockname()[1]
            threading.Thread(target=self.accept, args=(s,), daemon=True).start()

    def down(self, seconds=None):
        with self.lock:
            if self.listener:
                Stream(self.listener).close()
                self.listener = None
            for s in list(self.streams):
                s.end()
            if seconds is not None:
                self.timer = threading.Timer(seconds, self.up)
                self.timer.daemon = True
                self.timer.start()

    def set(self, *faults):
        with self.lock:
            self.faults = [dict(f) for f in faults]

    def heal(self):
        with self.lock:
            if self.timer:
                self.timer.cancel()
            self.set()
            self.skew = 0
            self.up()

    def close(self):
        self.heal()
        self.down()

    def accept(self, listener):
        while True:
            try:
                client = listener.accept()[0]
            except OSError:
                return
            threading.Thread(target=self.serve, args=(client,), daemon=True).start()

    def serve(self, client):
        client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        streams = [Stream(client)]
        try:
            streams.append(Stream(socket.create_connection(self.to)))
            with self.lock:
                self.streams.update(streams)
            (self.pass_bytes if self.tcp else self.pass_requests)(streams)
        except (Ended, OSError, ValueError):
            pass
        with self.lock:
            self.streams.difference_update(streams)
        for s in streams:
            s.close()

    def fault(self, request):
        with self.lock:
            for f in self.faults:
                if not re.search(f.get("when", "").encode(), request, re.S):
                    continue
                f["seen"] = f.get("seen", -1) + 1
                if f["seen"] < f.get("skip", 0) or (f["seen"] - f.get("skip", 0)) % f.get("every", 1) or f.get("times", 1) < 1:
                    continue
                f["times"] = f.get("times", 1) - 1
                return f
        return {}

    # HTTP.
    def pass_requests(self, streams):
        while True:
            head = streams[0].until(b"\r\n\r\n")
            if head.startswith(b"CONNECT "):
                self.connect(streams, head)
                continue
            if b"100-continue" in head:
                head = re.sub(rb"(?i)\r\nexpect: *100-continue", b"", head)
                streams[0].socket.sendall(b"HTTP/1.1 100 Continue\r\n\r\n")
            body = streams[0].body(head)
            fault = self.fault(head + body)
            with self.lock:
                self.requests.append((head.split(b" HTTP/")[0].decode(), fault.get("do", "")))
            if not self.exchange(streams, head, body, fault):
                return

    def connect(self, streams, head):
        client, server = streams
        server.socket.sendall(head)
        client.socket.sendall(server.until(b"\r\n\r\n"))
        open_context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        open_context.check_hostname, open_context.verify_mode = False, ssl.CERT_NONE
        with self.lock:
            self.streams.difference_update(streams)
        streams[0] = Stream(self.context.wrap_socket(client.socket, server_side=True))
        streams[1] = Stream(open_context.wrap_socket(server.socket))
        with self.lock:
            self.streams.update(streams)

    def exchange(self, streams, head, body, fault):
        """One request and its answer; False: the connections are of no more use."""
        client, server = streams
        do = fault.get("do", "")
        if do == "wait":
            time.sleep(fault["seconds"])
        elif do == "call":
            fault["what"]()
        elif do == "down":
            self.down(fault.get("seconds"))
            return False
        elif do == "answer":
            said = fault.get("body", "").encode()
            lines = ["HTTP/1.1 %d Fault" % fault["status"], "Content-Length: %d" % len(said), *("%s: %s" % h for h in fault.get("headers", {}).items())]
            client.socket.sendall("\r\n".join(lines).encode() + b"\r\n\r\n" + (b"" if head.startswith(b"HEAD ") else said))
            return True
        elif do == "damage_request":
            body = damaged(body)
        whole = head + body
        if do in ("reset", "cut_request"):
            server.socket.sendall(whole[:len(whole) // 2] if do == "cut_request" else b"")
            server.reset()
            client.reset()
            return False
        server.socket.sendall(whole)
        said = server.until(b"\r\n\r\n")
        bodiless = head.startswith(b"HEAD ") or re.match(rb"HTTP/1.1 (204|304|1\d\d)", said)
        content = b"" if bodiless else server.body(said, True)
        answer = self.dated(said) + (damaged(content) if do == "damage" else content)
        if do in ("lost", "cut_answer", "truncate", "cut_head"):
            kept = {"lost": 0, "cut_answer": len(answer) // 2, "truncate": len(answer) - (len(content) // 2 or 1), "cut_head": len(said) // 2}
            client.socket.sendall(answer[:kept[do]])
            client.reset() if do in ("lost", "cut_answer") else client.close()
            return False
        client.socket.sendall(answer)
        return True

    def dated(self, head):
        if not self.skew:
            return head
        stamp = time.strftime("%a, %d %b %Y %H:%M:%S GMT", time.gmtime(time.time() + self.skew))
        return re.sub(rb"(?i)\r\ndate: [^\r]*", b"\r\nDate: " + stamp.encode(), head)

    # Bytes.
    def pass_bytes(self, streams):
        client, server = streams
        after = []  # what is to happen to what the server says next
        back = threading.Thread(target=self.pass_back, args=(client, server, after), daemon=True)
        back.start()
        try:
            reset = self.pass_on(client, server, after)
        finally:
            for s in (client, server):
                s.end(socket.SHUT_RD)
            back.join()
        if reset or after:
            server.reset()
            client.reset()

    def pass_on(self, client, server, after):
        """True: both connections are to be reset."""
        while data := client.socket.recv(65536):
            fault = self.fault(data)
            do = fault.get("do", "")
            with self.lock:
                self.requests.append((data.decode(errors="replace"), do))
            if do == "wait":
                time.sleep(fault["seconds"])
            elif do == "call":
                fault["what"]()
            elif do == "down":
                self.down(fault.get("seconds"))
                return False
            elif do in ("reset", "cut_request"):
                server.socket.sendall(data[:len(data) // 2] if do == "cut_request" else b"")
                return True
            elif do in ("lost", "cut_answer"):
                after.append(do)
            server.socket.sendall(data)
        return False

    def pass_back(self, client, server, after):
        try:
            while data := server.socket.recv(65536):
                client.socket.sendall(data if not after else data[:len(data) // 2] if after[0] == "cut_answer" else b"")
                if after:
                    break
        except OSError:
            pass
        client.end(socket.SHUT_RD if after else socket.SHUT_RDWR)  # the other thread hears of it


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--to", required=True)
    p.add_argument("--port", type=int, default=0)
    p.add_argument("--tcp", action="store_true")
    p.add_argument("--certificate")
    p.add_argument("faults", nargs="*", type=json.loads)
    args = p.parse_args()
    host, _, port = args.to.rpartition(":")
    context = args.certificate and make_certificate(args.certificate, NAMES)
    proxy = Proxy((host, int(port)), args.tcp, context, args.port)
    proxy.set(*args.faults)
    print("http://%s %s" % (proxy.address, args.certificate or ""), flush=True)
    threading.Event().wait()


if __name__ == "__main__":
    sys.exit(main())
