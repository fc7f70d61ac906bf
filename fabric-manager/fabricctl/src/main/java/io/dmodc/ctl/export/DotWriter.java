package io.dmodc.ctl.export;

import io.dmodc.topology.FabricView;
import io.dmodc.topology.Guid;
import java.io.IOException;

/**
 * Writes a graph for Graphviz, a row of switches for each rank, the leaves at the bottom. Parallel cables are one line
 * with their number on it. Hosts are drawn one by one if asked for, else each leaf says how many it has.
 */
public final class DotWriter {
    private final ExportedFabric fabric;
    private final FabricView view;
    private final boolean hosts;
    private final Appendable out;

    private DotWriter(ExportedFabric fabric, boolean hosts, Appendable out) {
        this.fabric = fabric;
        this.view = fabric.view();
        this.hosts = hosts;
        this.out = out;
    }

    /** @param hosts draw each host port as well */
    public static void write(ExportedFabric fabric, boolean hosts, Appendable out) throws IOException {
        new DotWriter(fabric, hosts, out).write();
    }

    private void write() throws IOException {
        out.append("graph fabric {\n");
        out.append("  graph [newrank=true, splines=false, nodesep=0.15, ranksep=1.5, charset=\"UTF-8\"];\n");
        out.append("  node [shape=box, fontname=\"sans-serif\", fontsize=10, margin=\"0.06,0.03\"];\n");
        out.append("  edge [color=\"#00000060\", fontname=\"sans-serif\", fontsize=8];\n");
        for (int rank = view.rankMax(); rank >= FabricView.UNRANKED; rank--) {
            writeRank(rank);
        }
        if (hosts) {
            writeHosts();
        }
        for (int s = 0; s < view.switchCount(); s++) {
            writeBundles(s);
        }
        out.append("}\n");
    }

    private void writeRank(int rank) throws IOException {
        out.append("  { rank=same; // ")
                .append(rank < 0 ? "switches that no leaf reaches" : "rank " + rank)
                .append('\n');
        for (int s = 0; s < view.switchCount(); s++) {
            if (view.rank(s) == rank) {
                writeSwitch(s);
            }
        }
        out.append("  }\n");
    }

    private void writeSwitch(int s) throws IOException {
        int count = hostCount(s);
        String below = hosts || count == 0 ? "" : "\\n" + count + (count == 1 ? " host" : " hosts");
        out.append("    \"S-").append(Guid.digits(view.switchGuid(s))).append("\" [label=\"");
        out.append(escape(fabric.switchTitle(s))).append(below).append("\", tooltip=\"");
        out.append(Guid.format(view.switchGuid(s))).append('"');
        out.append(view.alive(s) ? "" : ", style=dashed, color=red, fontcolor=red")
                .append("];\n");
    }

    private int hostCount(int s) {
        int count = 0;
        for (int port = 1; port <= view.portCount(s); port++) {
            int node = view.peerNode(s, port);
            count += node >= 0 && view.isHost(node) ? 1 : 0;
        }
        return count;
    }

    private void writeHosts() throws IOException {
        for (int node : fabric.nodes()) {
            boolean down = fabric.hostState(node).equals("down");
            String id = "\"H-" + Guid.digits(view.nodeGuid(node)) + '"';
            out.append("  ").append(id).append(" [shape=plain, label=\"");
            out.append(escape(fabric.hostTitle(node))).append("\", tooltip=\"");
            out.append(Guid.format(view.nodeGuid(node))).append('"');
            out.append(down ? ", fontcolor=red" : "").append("];\n  \"S-");
            out.append(Guid.digits(view.switchGuid(view.nodeSwitch(node))))
                    .append("\" -- ")
                    .append(id);
            out.append(down ? " [style=dashed, color=red];\n" : ";\n");
        }
    }

    /** Graphviz draws the first end of a line above the second: so each bundle is written from its upper switch. */
    private void writeBundles(int s) throws IOException {
        for (int group = view.groupStart(s); group < view.groupEnd(s); group++) {
            int far = view.groupRemote(group);
            boolean upper = view.rank(s) > view.rank(far) || (view.rank(s) == view.rank(far) && s < far);
            if (upper) {
                int size = view.groupSize(group);
                out.append("  \"S-").append(Guid.digits(view.switchGuid(s)));
                out.append("\" -- \"S-")
                        .append(Guid.digits(view.switchGuid(far)))
                        .append('"');
                out.append(size == 1 ? ";\n" : " [label=\"" + size + "\", penwidth=" + Math.min(size, 8) + "];\n");
            }
        }
    }

    /** Inside quotes Graphviz knows escapes ({@code \N}), and entities of HTML. */
    private static String escape(String text) {
        StringBuilder safe = new StringBuilder(text.length());
        text.codePoints().forEach(c -> {
            switch (c) {
                case '"' -> safe.append("&quot;");
                case '\\' -> safe.append("\\\\");
                case '&' -> safe.append("&amp;");
                default -> safe.appendCodePoint(isText(c) ? c : ' ');
            }
        });
        return safe.toString();
    }

    private static boolean isText(int c) {
        return !Character.isISOControl(c) && !(c >= 0xd800 && c <= 0xdfff);
    }
}
