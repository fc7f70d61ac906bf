"""What other languages have ready-made: reads a .proto file of proto3, and its messages from bytes and JSON, and writes them.

A message is a dictionary. What was not said has its default, but fields that are messages or in a oneof are not there then; a
value of an enumeration is its name. Left out is what southbound.proto does not use: maps, groups, imports, signed numbers.
"""
import base64
import collections
import re
import struct

VARINTS, MASK = {"uint32": (1 << 32) - 1, "uint64": (1 << 64) - 1, "bool": 1}, (1 << 64) - 1
DEFAULTS = {"uint32": 0, "uint64": 0, "fixed64": 0, "bool": False, "bytes": b"", "string": ""}
Field = collections.namedtuple("Field", "number name kind repeated oneof")


def varint(n):
    out = bytearray()
    while n > 127:
        out.append(n & 127 | 128)
        n >>= 7
    return bytes(out) + bytes([n])


def take_varint(data, at):
    n = shift = 0
    while shift < 70 and at < len(data):
        n |= (data[at] & 127) << shift
        if data[at] < 128:
            return n & MASK, at + 1
        at, shift = at + 1, shift + 7
    raise ValueError("no varint")


def wire_fields(data):
    """Number, wire type and value of each field of a message."""
    at = 0
    while at < len(data):
        key, at = take_varint(data, at)
        number, wire = key >> 3, key & 7
        if wire == 0:
            value, at = take_varint(data, at)
        elif wire in (1, 2, 5) and number:
            size, at = (8, at) if wire == 1 else (4, at) if wire == 5 else take_varint(data, at)
            value, at = data[at:at + size], at + size
        else:
            raise ValueError("no wire type of proto3")
        if at > len(data):
            raise ValueError("ends too early")
        yield number, wire, value


class Schema:
    def __init__(self, path):
        self.messages, self.enums = {}, {}
        with open(path) as file:
            self.read(iter(re.findall(r'[\w.]+|"[^"]*"|\S', re.sub("//.*", "", file.read()))), "")

    # --- the .proto file
    def read(self, words, scope, oneof=None):
        for word in words:
            if word == "}":
                return
            if word in ("message", "enum", "oneof"):
                name = next(words)
                next(words)
                if word == "oneof":
                    self.read(words, scope, name)
                elif word == "message":
                    self.messages[scope + name] = []
                    self.read(words, scope + name + ".")
                else:
                    values = "".join(iter(lambda: next(words), "}")).rstrip(";").split(";")
                    self.enums[scope + name] = {value.split("=")[0]: int(value.split("=")[1]) for value in values}
            else:
                statement = [word, *iter(lambda: next(words), ";")]
                if word not in ("syntax", "package", "option", "reserved"):
                    kind, name, _, number = statement[-4:]
                    self.messages[scope[:-1]].append(Field(int(number), name, kind, word == "repeated", oneof))

    def resolved(self, scope, kind):
        """The full name of the type that is meant there: the innermost one of that name."""
        while kind not in DEFAULTS and scope:
            if scope + "." + kind in self.messages or scope + "." + kind in self.enums:
                return scope + "." + kind
            scope = scope.rpartition(".")[0]
        return kind

    # --- messages
    def encode(self, type_name, message):
        """What is there, repeated numbers one by one."""
        out = b""
        for field in self.messages[type_name]:
            values = message.get(field.name, []) if field.repeated else [message[field.name]] if field.name in message else []
            kind = self.resolved(type_name, field.kind)
            for value in values:
                if kind == "fixed64":
                    out += varint(field.number << 3 | 1) + struct.pack("<Q", value)
                elif kind in VARINTS or kind in self.enums:
                    out += varint(field.number << 3) + varint(self.enums[kind][value] if kind in self.enums else int(value))
                else:
                    body = value if kind == "bytes" else value.encode() if kind == "string" else self.encode(kind, value)
                    out += varint(field.number << 3 | 2) + varint(len(body)) + body
        return out

    def decode(self, type_name, data):
        message, fields = {}, {}
        for field in self.messages[type_name]:
            kind = self.resolved(type_name, field.kind)
            fields[field.number] = field._replace(kind=kind)
            if field.repeated:
                message[field.name] = []
            elif not field.oneof and kind not in self.messages:
                message[field.name] = DEFAULTS[kind] if kind in DEFAULTS else self.value_name(kind, 0)
        for number, wire, value in wire_fields(data):
            field = fields.get(number)
            values = self.values(field, wire, value) if field else None
            if values is None:
                continue  # not known to us
            if field.repeated:
                message[field.name].extend(values)
                continue
            for other in fields.values():
                if field.oneof and other.oneof == field.oneof:
                    message.pop(other.name, None)
            message[field.name] = values[0]
        return message

    def values(self, field, wire, value):
        """Several where they are packed; None where the field is of another type."""
        kind = field.kind
        if kind in VARINTS or kind in self.enums:
            if wire == 0:
                numbers = [value]
            elif wire == 2 and field.repeated:
                numbers, at = [], 0
                while at < len(value):
                    n, at = take_varint(value, at)
                    numbers.append(n)
            else:
                return None
            if kind in self.enums:
                return [self.value_name(kind, n) for n in numbers]
            return [n != 0 if kind == "bool" else n & VARINTS[kind] for n in numbers]
        if wire != (1 if kind == "fixed64" else 2):
            return None
        if kind == "fixed64":
            return list(struct.unpack("<Q", value))
        return [value if kind == "bytes" else value.decode() if kind == "string" else self.decode(kind, value)]

    def value_name(self, kind, number):
        return next((name for name, value in self.enums[kind].items() if value == number), str(number))

    def from_json(self, type_name, said):
        """Of what protobuf's JSON mapping says, with the names of the .proto file."""
        fields = {field.name: field for field in self.messages[type_name]}

        def one(kind, value):
            if kind in self.messages:
                return self.from_json(kind, value)
            return base64.b64decode(value) if kind == "bytes" else int(value) if kind in ("uint64", "fixed64") else value

        message = {}
        for name, value in said.items():
            kind = self.resolved(type_name, fields[name].kind)
            message[name] = [one(kind, element) for element in value] if fields[name].repeated else one(kind, value)
        return message
