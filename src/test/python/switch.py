"""What stands for the hardware: a switch that is two files.

One is its ports, {"hello": Hello, "ports": [Port, ...]}, as southbound.proto and protobuf's JSON have them. It is read again and
again, and so is to be replaced, not written to. The other is the table that it forwards with: index and port of each entry, and
what an agent notes of it.
"""
import json
import os


class Switch:
    def __init__(self, schema, ports_file, table_file):
        self.schema, self.ports_file, self.table_file, self.note = schema, ports_file, table_file, lambda index: ""

    def said(self):
        with open(self.ports_file) as file:
            return json.load(file)

    def hello(self):
        """What there is to say of it when its agent joins."""
        return self.schema.from_json("Hello", self.said()["hello"])

    def ports(self):
        """By number, as they are now."""
        report = self.schema.from_json("PortReport", {"ports": self.said()["ports"]})
        return {port["number"]: port for port in report["ports"]}

    def forward_by(self, table):
        with open(self.table_file + ".new", "w") as file:
            for index, port in enumerate(table):
                file.write("%d %s%s\n" % (index, "-" if port == 255 else port, self.note(index)))
        os.replace(file.name, self.table_file)
