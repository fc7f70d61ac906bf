"""What other languages have in a library: a client that stays connected over mutual TLS 1.3.

It sends and takes frames with their length before them: 4 bytes, big-endian.
"""
import os
import random
import socket
import ssl
import time


class Client:
    """Connects again and again. Who extends it has opened(), take(frame), keep_alive_seconds and keep_alive_frame.

    When it has set welcomed, that frame is sent whenever no other was for so long, and its idle() is called ten times a second.
    """

    FRAME_SECONDS, MAX_FRAME, SHORTEST_WAIT = 10, 1 << 20, 0.1

    def __init__(self, address, keys, longest_wait):
        """To HOST:PORT with the keys of a directory: certificate.pem, private-key.pem, authority.pem; without in clear text."""
        self.address, self.keys, self.longest_wait, self.wait = address, keys, longest_wait, self.SHORTEST_WAIT

    def run(self):
        """A session ends with an OSError, or with a ValueError for what no other side may say."""
        while True:
            try:
                with self.connected() as self.socket:
                    self.serve()
            except (OSError, ValueError) as end:
                print("no session: %s" % end, flush=True)
            time.sleep(min(self.wait, self.longest_wait) * random.uniform(0.5, 1))
            self.wait *= 2

    def connected(self):
        host, port = self.address.rsplit(":", 1)
        host = host.strip("[]")
        plain = socket.create_connection((host, int(port)), self.FRAME_SECONDS)
        if not self.keys:
            return plain
        context = ssl.create_default_context(cafile=os.path.join(self.keys, "authority.pem"))
        context.minimum_version = ssl.TLSVersion.TLSv1_3
        context.load_cert_chain(os.path.join(self.keys, "certificate.pem"), os.path.join(self.keys, "private-key.pem"))
        return context.wrap_socket(plain, server_hostname=host)

    def serve(self):
        self.held, self.welcomed = b"", False
        heard = begun = time.monotonic()
        self.opened()
        while True:
            more = self.received()
            if more and not self.held:
                begun = time.monotonic()
            self.held += more
            for frame in self.frames():
                self.take(frame)
                heard = begun = time.monotonic()
            now = time.monotonic()
            if now - heard > 3 * self.keep_alive_seconds or self.held and now - begun > self.FRAME_SECONDS:
                raise OSError("the other side is silent")
            if self.welcomed:
                self.idle()
                if now - self.last_sent > self.keep_alive_seconds:
                    self.send(self.keep_alive_frame)

    def received(self):
        self.socket.settimeout(0.1)
        try:
            more = self.socket.recv(1 << 16)
        except socket.timeout:
            return b""
        if not more:
            raise OSError("the other side closed")
        return more

    def frames(self):
        while len(self.held) >= 4:
            size = int.from_bytes(self.held[:4], "big")
            if not 0 < size <= self.MAX_FRAME:
                raise ValueError("a frame of %d bytes" % size)
            if len(self.held) < 4 + size:
                return
            frame, self.held = self.held[4:4 + size], self.held[4 + size:]
            yield frame

    def send(self, frame):
        self.socket.settimeout(self.FRAME_SECONDS)
        self.socket.sendall(len(frame).to_bytes(4, "big") + frame)
        self.last_sent = time.monotonic()
