package io.dmodc.e2e;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.dmodc.e2e.TrialFabric.TrialCable;
import io.dmodc.topology.FabricChange.Neighbour;
import io.dmodc.topology.FabricChange.ToHost;
import io.dmodc.topology.FabricChange.ToSwitch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Set;

/**
 * A switch of a {@link TrialFabric} with an agent of {@code python/}: its ports are a file that is written here, its table one that
 * is written there.
 */
final class PythonAgent implements AutoCloseable {
    /** Joins, tells its ports, takes tables and acknowledges them. */
    static final String PLAIN = "agent.py";

    /** Asks for destinations and alternatives besides. */
    static final String WITH_DESTINATIONS = "agent_with_destinations.py";

    private final String script;
    private final int protocol;
    private final TrialFabric fabric;
    private final long guid;
    private final Path cables;
    private final Path table;
    private final ProcessLog log;

    /** Speaks this version alone, to this manager, with the keys of a directory. */
    PythonAgent(String script, int protocol, Path directory, TrialFabric fabric, long guid, String manager, Path keys)
            throws IOException {
        this.script = script;
        this.protocol = protocol;
        this.fabric = fabric;
        this.guid = guid;
        cables = Files.createTempDirectory(directory, fabric.name(guid)).resolve("cables.json");
        table = cables.resolveSibling("table");
        plug(Set.of());
        log = ProcessLog.start(
                List.of("python3", "-uB", "python/" + script, "" + cables, "" + table, manager, keys.toString()));
    }

    /** Whether there is a Python that the script may be run with. */
    static boolean isInstalled() throws InterruptedException {
        try {
            return ProcessLog.start(List.of("python3", "-c", "import ssl; assert ssl.HAS_TLSv1_3"))
                            .exitCode()
                    == 0;
        } catch (IOException e) {
            return false;
        }
    }

    long guid() {
        return guid;
    }

    boolean isPlain() {
        return script.equals(PLAIN);
    }

    ProcessLog log() {
        return log;
    }

    /** The table in force, an entry a line: index and port, and more from one that is not plain; nothing before the first. */
    List<String> table() throws IOException {
        return Files.exists(table) ? Files.readAllLines(table) : List.of();
    }

    /** Plugs all cables of the switch in but these. */
    void plug(Set<TrialCable> out) throws IOException {
        ObjectNode all = new ObjectMapper().createObjectNode();
        ArrayNode ports = all.putArray("ports");
        for (TrialCable cable : fabric.cables()) {
            if (cable.guid() == guid) {
                describe(ports.addObject(), cable.port(), !out.contains(cable), cable.far());
            } else if (cable.far() instanceof ToSwitch to && to.guid() == guid) {
                describe(ports.addObject(), to.port(), !out.contains(cable), new ToSwitch(cable.guid(), cable.port()));
            }
        }
        all.putObject("hello")
                .put("protocol_min", protocol)
                .put("protocol_max", protocol)
                .put("switch_guid", Long.toUnsignedString(guid))
                .put("name", fabric.name(guid))
                .put("port_count", ports.size());
        Path fresh = Files.writeString(cables.resolveSibling("cables.new"), all.toPrettyString());
        Files.move(fresh, cables, StandardCopyOption.ATOMIC_MOVE);
    }

    private static void describe(ObjectNode port, int number, boolean up, Neighbour far) {
        port.put("number", number).put("up", up);
        if (far instanceof ToSwitch to) {
            port.putObject("switch_neighbour")
                    .put("guid", Long.toUnsignedString(to.guid()))
                    .put("port", to.port());
        } else if (far instanceof ToHost to) {
            ObjectNode host = port.putObject("host_neighbour")
                    .put("port_guid", Long.toUnsignedString(to.host().portGuid()))
                    .put("host_guid", Long.toUnsignedString(to.host().portGuid()))
                    .put("host_port", 1)
                    .put("name", to.host().name());
            host.putObject("addresses")
                    .put("lid", 100 + number)
                    .put("ipv4", new byte[] {10, 0, 0, (byte) number})
                    .put("ipv6", new byte[] {(byte) 0xfd, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, (byte) number})
                    .put("mac", new byte[] {2, 0, 0, 0, 0, (byte) number});
        }
    }

    @Override
    public void close() {
        log.close();
    }
}
