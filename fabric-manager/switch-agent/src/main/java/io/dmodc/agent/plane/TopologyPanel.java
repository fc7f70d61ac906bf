package io.dmodc.agent.plane;

import io.dmodc.agent.plane.Neighbour.HostPort;
import io.dmodc.agent.plane.Neighbour.SwitchPort;
import io.dmodc.southbound.Guids;
import io.dmodc.southbound.SouthboundProtocol;
import io.dmodc.topology.FabricChange;
import io.dmodc.topology.FabricChange.ToHost;
import io.dmodc.topology.FabricChange.ToSwitch;
import io.dmodc.topology.FabricViewBuilder;
import io.dmodc.topology.Host;
import io.dmodc.topology.LinkRate;
import io.dmodc.topology.ibnet.IbnetFabric;
import io.dmodc.topology.ibnet.IbnetReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A patch panel in a file, shared by the agents of many switches: an ibnetdiscover text in which people add and delete
 * lines to move cables.
 *
 * <p>A cable is plugged in while both its ends list it, so deleting either line cuts it at both switches, and deleting
 * a switch's block cuts all its cables. A host without a block of its own is plugged in by its switch's line alone. A
 * file that looks cut off, and one without any cable, is no panel.
 */
public final class TopologyPanel {
    /** Some ten times what a fabric of 65,536 nodes takes; the file is held in memory while it is read. */
    static final int MAX_FILE_BYTES = 512 << 20;

    private TopologyPanel() {}

    /**
     * One switch of the panel.
     *
     * @param name for people, at most 64 bytes
     * @param portCount 1..254
     * @param plugged the ports with a cable, up, by number
     */
    public record ListedSwitch(String name, int portCount, List<PortState> plugged) {
        /** Copies the ports. */
        public ListedSwitch {
            plugged = List.copyOf(plugged);
        }
    }

    /**
     * Reads what the panel says of one switch; takes about as long as reading the whole file.
     *
     * @return nothing when the file is a panel without that switch
     * @throws IOException in one line naming the file, when it cannot be read or is no panel
     */
    public static Optional<ListedSwitch> read(Path file, long guid) throws IOException {
        byte[] whole = OneEndedCableFilter.only(bytes(file));
        IbnetFabric read = IbnetReader.read(file.toString(), new ByteArrayInputStream(whole));
        FabricViewBuilder fabric = read.fabric();
        if (!fabric.knows(guid)) {
            return Optional.empty();
        }
        List<PortState> plugged = new ArrayList<>();
        for (int port = 1; port <= fabric.portCount(guid); port++) {
            FabricChange.Neighbour neighbour = fabric.neighbour(guid, port);
            if (neighbour != null && !isAggregation(neighbour)) {
                LinkRate rate = read.rates().of(guid, port).orElse(null);
                plugged.add(new PortState(port, true, neighbour(file, guid, port, neighbour), rate));
            }
        }
        return Optional.of(new ListedSwitch(cut(fabric.name(guid)), fabric.portCount(guid), plugged));
    }

    private static byte[] bytes(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            byte[] bytes = in.readNBytes(MAX_FILE_BYTES + 1);
            if (bytes.length > MAX_FILE_BYTES) {
                throw new IOException("more than " + MAX_FILE_BYTES + " bytes");
            }
            return bytes;
        } catch (NoSuchFileException e) {
            throw unreadable(file, "no such file", e);
        } catch (IOException e) {
            throw unreadable(file, String.valueOf(e.getMessage()), e);
        }
    }

    private static IOException unreadable(Path file, String why, IOException cause) {
        return new IOException(file + ": cannot be read (" + why + "); expected a file of ibnetdiscover text", cause);
    }

    private static Neighbour neighbour(Path file, long guid, int port, FabricChange.Neighbour far) throws IOException {
        if (far instanceof ToSwitch to && to.guid() != 0) {
            return new SwitchPort(to.guid(), to.port());
        }
        if (far instanceof ToHost to && reportable(to.host())) {
            Host host = to.host();
            return new HostPort(host.portGuid(), host.hostGuid(), host.hostPort(), cut(host.name()), host.addresses());
        }
        throw new IOException(file + ": switch " + Guids.text(guid) + ": port " + port + " leads to " + far
                + "; expected a GUID above 0 and a port in 0.." + SouthboundProtocol.MAX_PORTS);
    }

    /** It is part of the switch, and managers know hosts only. */
    private static boolean isAggregation(FabricChange.Neighbour far) {
        return far instanceof ToHost to && to.host().isAggregation();
    }

    private static boolean reportable(Host host) {
        return host.portGuid() != 0 && host.hostPort() <= SouthboundProtocol.MAX_PORTS;
    }

    /** Names are for people only, so a long one loses its end. */
    private static String cut(String name) {
        int end = name.length();
        while (name.substring(0, end).getBytes(StandardCharsets.UTF_8).length > SouthboundProtocol.MAX_NAME_BYTES) {
            end = name.offsetByCodePoints(end, -1);
        }
        return name.substring(0, end);
    }
}
