package io.dmodc.ctl.export;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.topology.FabricView;
import io.dmodc.topology.Guid;
import io.dmodc.topology.ibnet.IbnetFormatException;
import io.dmodc.topology.ibnet.IbnetReader;
import io.dmodc.topology.ibnet.IbnetWriter;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.function.Predicate;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** What is exported is read again by somebody else, and has the same cables and names. */
class ExportRoundTripTest {
    private static final long SEED = 711;
    private static final int ROUNDS = 150;

    /** {@code guid name port – guid name port} of each cable, as the view has it, by a walk of its own. */
    private static Set<String> cables(FabricView view, Predicate<Integer> switches) {
        TreeSet<String> cables = new TreeSet<>();
        for (int s = 0; s < view.switchCount(); s++) {
            for (int port = 1; port <= view.portCount(s) && switches.test(s); port++) {
                String near = Guid.format(view.switchGuid(s)) + " " + view.switchName(s) + " " + port;
                int far = view.peerSwitch(s, port);
                int node = view.peerNode(s, port);
                if (far >= 0) {
                    String other = Guid.format(view.switchGuid(far)) + " " + view.switchName(far) + " "
                            + view.peerPort(s, port);
                    cables.add(near.compareTo(other) < 0 ? near + " – " + other : other + " – " + near);
                } else if (node >= 0) {
                    cables.add(near + " – " + Guid.format(view.nodeGuid(node)) + " "
                            + Fabrics.host(view, node).name() + " "
                            + Fabrics.host(view, node).hostPort());
                }
            }
        }
        return cables;
    }

    @Test
    void shouldGiveTheSameCablesAsATable() throws Exception {
        System.out.println("seed " + SEED);
        SplittableRandom random = new SplittableRandom(SEED);
        for (int round = 0; round < ROUNDS; round++) {
            ExportedFabric fabric = Fabrics.of(Fabrics.any(random));

            List<List<String>> rows = csv(Fabrics.text(out -> CsvWriter.write(fabric, out)));

            TreeSet<String> read = new TreeSet<>();
            for (List<String> row : rows.subList(1, rows.size())) {
                assertThat(row).hasSize(8);
                read.add(row.get(0) + " " + row.get(1) + " " + row.get(2) + " – " + row.get(3) + " " + row.get(4) + " "
                        + row.get(5));
                boolean down = row.get(6).equals("switch-host")
                        && !fabric.view().alive(fabric.view().switchOf(Guid.parse(row.get(0))));
                assertThat(row.get(7)).isEqualTo(down ? "down" : "up");
            }
            assertThat(rows.get(0))
                    .containsExactly("a_guid", "a_name", "a_port", "b_guid", "b_name", "b_port", "type", "state");
            assertThat(read).isEqualTo(cables(fabric.view(), s -> true)).hasSize(rows.size() - 1);
        }
    }

    /** RFC 4180, letter by letter. */
    private static List<List<String>> csv(String text) {
        List<List<String>> rows = new ArrayList<>();
        List<String> row = new ArrayList<>();
        StringBuilder field = new StringBuilder();
        boolean quoted = false;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (quoted && c == '"' && i + 1 < text.length() && text.charAt(i + 1) == '"') {
                field.append('"');
                i++;
            } else if (c == '"') {
                quoted = !quoted;
            } else if (!quoted && (c == ',' || c == '\r')) {
                row.add(field.toString());
                field.setLength(0);
                if (c == '\r') {
                    assertThat(text.charAt(++i)).isEqualTo('\n');
                    rows.add(row);
                    row = new ArrayList<>();
                }
            } else {
                field.append(c);
            }
        }
        assertThat(field).isEmpty();
        return rows;
    }

    @Test
    void shouldGiveTheSameCablesAsAGraph() throws Exception {
        System.out.println("seed " + SEED);
        SplittableRandom random = new SplittableRandom(SEED);
        for (int round = 0; round < ROUNDS; round++) {
            ExportedFabric fabric = Fabrics.of(Fabrics.any(random));

            Document graph = xml(Fabrics.text(out -> GraphmlWriter.write(fabric, out)));

            Map<String, String> nodes = new HashMap<>();
            each(
                    graph,
                    "node",
                    node -> nodes.put(node.getAttribute("id"), data(node, "guid") + " " + data(node, "name")));
            TreeSet<String> read = new TreeSet<>();
            each(
                    graph,
                    "edge",
                    edge -> read.add(nodes.get(edge.getAttribute("source")) + " " + data(edge, "a_port") + " – "
                            + nodes.get(edge.getAttribute("target")) + " " + data(edge, "b_port")));
            assertThat(read).isEqualTo(cables(fabric.view(), s -> true));
            assertThat(nodes)
                    .hasSize(fabric.view().switchCount() + fabric.view().nodeCount());
        }
    }

    private static Document xml(String text) throws Exception {
        return DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
    }

    private static void each(Document graph, String tag, java.util.function.Consumer<Element> body) {
        NodeList list = graph.getElementsByTagName(tag);
        for (int i = 0; i < list.getLength(); i++) {
            body.accept((Element) list.item(i));
        }
    }

    private static String data(Element of, String key) {
        NodeList list = of.getElementsByTagName("data");
        for (int i = 0; i < list.getLength(); i++) {
            if (((Element) list.item(i)).getAttribute("key").equals(key)) {
                return list.item(i).getTextContent();
            }
        }
        return "";
    }

    @Test
    void shouldKeepATextThatNoXmlCanHoldReadable() throws Exception {
        var fabric = Fabrics.whole("1;2;1;1");
        Fabrics.addHost(fabric, 0x02f0_0000_0000_0000L, 1, 5, "bell\u0007 half\ud800 line\r\nfeed");

        Document graph = xml(Fabrics.text(out -> GraphmlWriter.write(Fabrics.of(fabric), out)));

        List<String> names = new ArrayList<>();
        each(graph, "node", node -> names.add(data(node, "name")));
        assertThat(names).contains("bell\ufffd half\ufffd line\r\nfeed");
    }

    @Test
    void shouldBeReadAgainAsTheSameFabric() throws Exception {
        System.out.println("seed " + SEED);
        SplittableRandom random = new SplittableRandom(SEED);
        int read = 0;
        for (int round = 0; round < ROUNDS; round++) {
            FabricView view = Fabrics.of(Fabrics.any(random)).view();
            String text = Fabrics.text(out -> IbnetWriter.write(view, new io.dmodc.topology.ibnet.LidMap(), out));
            Set<String> expected = cables(view, view::alive);
            if (expected.isEmpty()) {
                continue;
            }

            FabricView again = Fabrics.of(readAgain(text)).view();

            assertThat(cables(again, s -> true)).isEqualTo(spaced(expected));
            assertThat(again.linkCount()).isEqualTo(view.linkCount());
            read++;
        }
        assertThat(read).isGreaterThan(ROUNDS / 2);
    }

    private static io.dmodc.topology.FabricViewBuilder readAgain(String text) throws IbnetFormatException {
        return IbnetReader.read("export", new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)))
                .fabric();
    }

    /** The form has no escapes: control characters are spaces in it. */
    private static Set<String> spaced(Set<String> cables) {
        TreeSet<String> spaced = new TreeSet<>();
        cables.forEach(cable -> spaced.add(cable.replace('\t', ' ')));
        return spaced;
    }
}
