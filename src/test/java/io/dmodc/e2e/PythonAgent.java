package io.dmodc.e2e;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.dmodc.e2e.TrialFabric.TrialCable;
import io.dmodc.topology.FabricChange.Neighbour;
import io.dmodc.topology.FabricChange.ToHost;
import io.dmodc.topology.FabricChange.ToSwitch;
import io.dmodc.topology.Guid;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * A switch of a {@link TrialFabric} with the agent of {@code python/agent.py}: its cables are a file that is written here, its table one
 * that is written there.
 */
final class PythonAgent implements AutoCloseable {
    private final TrialFabric fabric;
    private final long guid;
    private final Path cables;
    private final Path table;
    private final ProcessLog log;

    /** @param options of the script besides the switch itself */
    PythonAgent(Path directory, TrialFabric fabric, long guid, String... options) throws IOException {
        this.fabric = fabric;
        this.guid = guid;
        cables = Files.createTempDirectory(directory, fabric.name(guid)).resolve("cables.json");
        table = cables.resolveSibling("table");
        plug(Set.of());
        List<String> command = new ArrayList<>(List.of("python3", "python/agent.py", "--guid", Guid.format(guid)));
        command.addAll(List.of("--name", fabric.name(guid), "--ports", "" + cables, "--table", "" + table));
        command.addAll(List.of(options));
        log = ProcessLog.start(command);
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

    ProcessLog log() {
        return log;
    }

    /** The table in force, an entry a line: index, port, GUID, name; nothing before the first. */
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
        all.put("port-count", ports.size());
        Path fresh = Files.writeString(cables.resolveSibling("cables.new"), all.toPrettyString());
        Files.move(fresh, cables, StandardCopyOption.ATOMIC_MOVE);
    }

    private static void describe(ObjectNode port, int number, boolean up, Neighbour far) {
        port.put("number", number).put("up", up);
        if (far instanceof ToSwitch to) {
            port.put("switch", Guid.format(to.guid())).put("port", to.port());
        } else if (far instanceof ToHost to) {
            port.put("host", Guid.format(to.host().portGuid()))
                    .put("name", to.host().name())
                    .put("lid", 100 + number)
                    .put("ipv4", "10.0.0." + number)
                    .put("ipv6", "fd00::" + number)
                    .put("mac", "02:00:00:00:00:0" + number);
        }
    }

    @Override
    public void close() {
        log.close();
    }
}
