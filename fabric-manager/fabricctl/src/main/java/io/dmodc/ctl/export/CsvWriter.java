package io.dmodc.ctl.export;

import io.dmodc.ctl.export.ExportedFabric.Cable;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.Guid;
import java.io.IOException;

/**
 * Writes one line a cable, as RFC 4180 wants it: a header, lines that end in CR LF, fields in quotes where they hold a
 * comma, a quote or a line break, quotes doubled. End {@code a} is always a switch.
 */
public final class CsvWriter {
    private static final String END = "\r\n";

    private CsvWriter() {}

    public static void write(ExportedFabric fabric, Appendable out) throws IOException {
        out.append("a_guid,a_name,a_port,b_guid,b_name,b_port,type,state").append(END);
        FabricView view = fabric.view();
        for (Cable cable : fabric.cables()) {
            boolean host = cable.toHost();
            field(out, Guid.format(view.switchGuid(cable.s())), ',');
            field(out, view.switchName(cable.s()), ',');
            field(out, Integer.toString(cable.port()), ',');
            field(out, Guid.format(host ? view.nodeGuid(cable.node()) : view.switchGuid(cable.far())), ',');
            field(out, host ? fabric.host(cable.node()).name() : view.switchName(cable.far()), ',');
            field(out, Integer.toString(cable.farPort()), ',');
            field(out, host ? "switch-host" : "switch-switch", ',');
            out.append(host ? fabric.hostState(cable.node()) : "up").append(END);
        }
    }

    private static void field(Appendable out, String text, char after) throws IOException {
        boolean quoted = text.chars().anyMatch(c -> c == ',' || c == '"' || c == '\r' || c == '\n');
        out.append(quoted ? '"' + text.replace("\"", "\"\"") + '"' : text).append(after);
    }
}
