"""A program on a pseudo terminal of its own, for the tests of what people see and type there."""
import fcntl
import os
import pty
import select
import signal
import struct
import termios
import time


class Failed(Exception):
    pass


class Terminal:
    """A program on a terminal of its own; what it shows, and whether the terminal is in order when it has ended."""

    def __init__(self, args, cwd, env, columns=None):
        self.master, self.slave = pty.openpty()
        if columns:
            fcntl.ioctl(self.slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        self.before = termios.tcgetattr(self.slave)
        self.text, self.raw, self.seen = "", b"", 0
        self.pid = os.fork()
        if self.pid == 0:
            os.setsid()
            os.dup2(self.slave, 0), os.dup2(self.slave, 1), os.dup2(self.slave, 2)
            os.close(os.open(os.ttyname(0), os.O_RDWR))  # the first one opened becomes the terminal that signals come from
            os.chdir(cwd)
            os.execve(args[0], args, env)
        self.status = None

    def read(self, seconds):
        if select.select([self.master], [], [], seconds)[0]:
            self.raw += os.read(self.master, 65536)
            self.text = self.raw.decode(errors="surrogateescape")
        if self.status is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.status = os.waitstatus_to_exitcode(status)

    def expect(self, text, seconds=60):
        end = time.monotonic() + seconds
        while (at := self.text.find(text, self.seen)) < 0:
            if time.monotonic() > end or self.status is not None:
                self.kill()
                raise Failed("no %r after %r" % (text, self.text[self.seen:]))
            self.read(0.1)
        self.seen = at + len(text)
        time.sleep(0.1)
        return self

    def type(self, text):
        os.write(self.master, text.encode())
        return self

    def echoes(self):
        return bool(termios.tcgetattr(self.slave)[3] & termios.ECHO)

    def kill(self):
        if self.status is None:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
            self.status = -9

    def end(self, code=None, seconds=60):
        end = time.monotonic() + seconds
        while self.status is None:
            self.read(0.05)
            if time.monotonic() > end:
                self.kill()
                raise Failed("it does not end: %r" % self.text[-400:])
        while select.select([self.master], [], [], 0.1)[0]:
            self.read(0)
        if code is not None and self.status != code:
            raise Failed("exit code %s instead of %s: %s" % (self.status, code, self.text[-1500:]))
        if termios.tcgetattr(self.slave) != self.before:
            raise Failed("the terminal is not as it was: %r" % (termios.tcgetattr(self.slave),))
        os.close(self.master), os.close(self.slave)
        return self.text.replace("\r\n", "\n")
