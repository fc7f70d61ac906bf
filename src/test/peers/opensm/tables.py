"""Reads what switches hold, block by block, through libibmad: a process of its own, as ibsim's library stands in for the device.

Orders come pickled on stdin, answers go pickled to stdout: ("read", [(path, blocks)]) gives tables as bytes, None for a switch that does not
answer; ("watch", [(path, block, bytes)], seconds) gives the wall time when the last of these blocks was seen to be so, None if it never was.
"""
import ctypes
import pickle
import sys
import time

BLOCK, LINEAR_FORWARDING_TABLE, GAP = 64, 0x19, 0.002


class PortId(ctypes.Structure):
    """ib_portid_t of infiniband/mad.h."""
    _fields_ = [("lid", ctypes.c_int), ("hops", ctypes.c_int), ("path", ctypes.c_uint8 * 64), ("drslid", ctypes.c_uint16),
                ("drdlid", ctypes.c_uint16), ("grh_present", ctypes.c_int), ("gid", ctypes.c_uint8 * 16), ("qp", ctypes.c_uint32),
                ("qkey", ctypes.c_uint32), ("sl", ctypes.c_uint8), ("pkey_idx", ctypes.c_uint)]


class Reader:
    def __init__(self):
        self.mad = ctypes.CDLL("libibmad.so.5")
        self.mad.mad_rpc_open_port.restype = self.mad.smp_query_via.restype = ctypes.c_void_p
        self.mad.smp_query_via.argtypes = [ctypes.c_void_p, ctypes.c_void_p] + 3 * [ctypes.c_uint] + [ctypes.c_void_p]
        classes = (ctypes.c_int * 2)(0x01, 0x81)
        self.port = self.mad.mad_rpc_open_port(None, 0, classes, 2)
        if not self.port:
            raise SystemExit("tables: ibsim lets nobody in")
        self.buffer = ctypes.create_string_buffer(BLOCK)
        self.ids = {}

    def block(self, path, number):
        if path not in self.ids:
            self.ids[path] = PortId(hops=len(path), path=(ctypes.c_uint8 * 64)(0, *path))
        at = ctypes.byref(self.ids[path])
        for _ in range(3):
            if self.mad.smp_query_via(self.buffer, at, LINEAR_FORWARDING_TABLE, number, 200, self.port):
                return self.buffer.raw
        return None

    def read(self, wanted):
        tables = []
        for path, blocks in wanted:
            table = [self.block(path, number) for number in range(blocks)]
            tables.append(None if None in table else b"".join(table))
        return tables

    def watch(self, wanted, seconds):
        end = time.time() + seconds
        for path, number, expected in wanted:
            while self.block(path, number) != expected:
                if time.time() > end:
                    return None
                time.sleep(GAP)
        return time.time()


if __name__ == "__main__":
    reader = Reader()
    while True:
        try:
            order, *arguments = pickle.load(sys.stdin.buffer)
        except EOFError:
            break
        pickle.dump(getattr(reader, order)(*arguments), sys.stdout.buffer)
        sys.stdout.buffer.flush()
