package io.dmodc.ctl.export;

import io.dmodc.ctl.export.ExportedFabric.Cable;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.Guid;
import java.io.IOException;

/**
 * Writes GraphML: a node for each switch and each host port, an edge for each cable, parallel ones included. Identities
 * are those of ibnetdiscover, {@code S-} and {@code H-} with the GUID. Letters that XML 1.0 cannot hold become U+FFFD.
 */
public final class GraphmlWriter {
    private static final String HEAD = """
            <?xml version="1.0" encoding="UTF-8"?>
            <graphml xmlns="http://graphml.graphdrawing.org/xmlns"
                xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
                xsi:schemaLocation="http://graphml.graphdrawing.org/xmlns http://graphml.graphdrawing.org/xmlns/1.0/graphml.xsd">
              <key id="name" for="node" attr.name="name" attr.type="string"/>
              <key id="guid" for="node" attr.name="guid" attr.type="string"/>
              <key id="type" for="node" attr.name="type" attr.type="string"/>
              <key id="rank" for="node" attr.name="rank" attr.type="int"/>
              <key id="state" for="node" attr.name="state" attr.type="string"/>
              <key id="a_port" for="edge" attr.name="a_port" attr.type="int"/>
              <key id="b_port" for="edge" attr.name="b_port" attr.type="int"/>
              <key id="cable" for="edge" attr.name="type" attr.type="string"/>
              <graph id="fabric" edgedefault="undirected">
            """;

    private final ExportedFabric fabric;
    private final FabricView view;
    private final Appendable out;

    private GraphmlWriter(ExportedFabric fabric, Appendable out) {
        this.fabric = fabric;
        this.view = fabric.view();
        this.out = out;
    }

    public static void write(ExportedFabric fabric, Appendable out) throws IOException {
        new GraphmlWriter(fabric, out).write();
    }

    private void write() throws IOException {
        out.append(HEAD);
        for (int s = 0; s < view.switchCount(); s++) {
            writeSwitch(s);
        }
        for (int node : fabric.nodes()) {
            writeHost(node);
        }
        int number = 0;
        for (Cable cable : fabric.cables()) {
            writeCable(cable, number++);
        }
        out.append("  </graph>\n</graphml>\n");
    }

    private void writeSwitch(int s) throws IOException {
        out.append("    <node id=\"").append(switchId(s)).append("\">");
        data("name", view.switchName(s));
        data("guid", Guid.format(view.switchGuid(s)));
        data("type", "switch");
        if (view.rank(s) >= 0) {
            data("rank", Integer.toString(view.rank(s)));
        }
        data("state", fabric.switchState(s));
        out.append("</node>\n");
    }

    private void writeHost(int node) throws IOException {
        out.append("    <node id=\"").append(hostId(node)).append("\">");
        data("name", fabric.host(node).name());
        data("guid", Guid.format(view.nodeGuid(node)));
        data("type", "host");
        data("state", fabric.hostState(node));
        out.append("</node>\n");
    }

    private void writeCable(Cable cable, int number) throws IOException {
        out.append("    <edge id=\"c")
                .append(Integer.toString(number))
                .append("\" source=\"")
                .append(switchId(cable.s()))
                .append("\" target=\"")
                .append(cable.toHost() ? hostId(cable.node()) : switchId(cable.far()))
                .append("\">");
        data("a_port", Integer.toString(cable.port()));
        data("b_port", Integer.toString(cable.farPort()));
        data("cable", cable.toHost() ? "switch-host" : "switch-switch");
        out.append("</edge>\n");
    }

    private void data(String key, String value) throws IOException {
        out.append("<data key=\"")
                .append(key)
                .append("\">")
                .append(escape(value))
                .append("</data>");
    }

    private String switchId(int s) {
        return "S-" + Guid.digits(view.switchGuid(s));
    }

    private String hostId(int node) {
        return "H-" + Guid.digits(view.nodeGuid(node));
    }

    /** Carriage returns are written by number, because a parser would make line feeds of them. */
    private static String escape(String text) {
        StringBuilder safe = new StringBuilder(text.length());
        text.codePoints().forEach(c -> {
            switch (c) {
                case '&' -> safe.append("&amp;");
                case '<' -> safe.append("&lt;");
                case '>' -> safe.append("&gt;");
                case '\r' -> safe.append("&#13;");
                default -> safe.appendCodePoint(isXml(c) ? c : 0xfffd);
            }
        });
        return safe.toString();
    }

    private static boolean isXml(int c) {
        return c == '\t' || c == '\n' || (c >= 0x20 && c <= 0xd7ff) || (c >= 0xe000 && c <= 0xfffd) || c >= 0x10000;
    }
}
