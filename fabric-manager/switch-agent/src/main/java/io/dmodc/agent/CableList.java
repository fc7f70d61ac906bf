package io.dmodc.agent;

import io.dmodc.agent.plane.MemoryPlane;
import io.dmodc.agent.plane.PortState;
import io.dmodc.agent.plane.TopologyPanel;
import io.dmodc.agent.plane.TopologyPanel.ListedSwitch;
import io.dmodc.settings.FileStamp;
import io.dmodc.settings.Settings;
import io.dmodc.settings.SettingsException;
import io.dmodc.settings.process.HaltOnDefect;
import io.dmodc.southbound.Guids;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The file that lists a switch's cables, and the switch they are plugged into. Lets people move cables with an editor:
 * each {@link #look} that finds the file changed takes its cables over. A file that cannot be used changes nothing and is
 * told once per change. Used by one thread at a time.
 */
final class CableList {
    private static final Logger LOG = LoggerFactory.getLogger(CableList.class);

    /** Reads the ports with a cable. */
    private interface Source {
        /** @throws SettingsException or {@link IOException}, in one line, when the file cannot be used */
        List<PortState> read() throws IOException;
    }

    private final MemoryPlane plane;
    private final Path file;
    private final Source source;
    private FileStamp seen;

    private CableList(MemoryPlane plane, Path file, FileStamp seen, Source source) {
        this.plane = plane;
        this.file = file;
        this.seen = seen;
        this.source = source;
    }

    /**
     * Makes a switch with the cables its settings name.
     *
     * @param config the file {@code settings} came from
     * @param overrides applied to it again when it is read again
     * @throws SettingsException when the topology has no such switch
     * @throws UncheckedIOException in one line, when the topology cannot be used
     */
    static CableList open(long guid, AgentSettings settings, Path config, Map<String, String> overrides) {
        Path topology = settings.plane().topology();
        return topology == null
                ? inSettings(guid, settings, config, overrides)
                : inTopology(guid, settings, config, topology);
    }

    private static CableList inSettings(long guid, AgentSettings settings, Path config, Map<String, String> overrides) {
        String name = settings.name() == null ? Guids.text(guid) : settings.name();
        MemoryPlane plane = new MemoryPlane(guid, name, settings.plane().portCount());
        plane.plug(settings.plane().plugged());
        Source source = () -> {
            AgentSettings.Plane now =
                    Settings.read(config, AgentSettings.class, overrides).plane();
            if (now.topology() != null) {
                throw new SettingsException(config + ": plane.topology was added; it counts from the next start");
            }
            return now.plugged();
        };
        // The settings were read before their stamp could be taken, so the first look reads them again.
        return new CableList(plane, config, FileStamp.NONE, source);
    }

    private static CableList inTopology(long guid, AgentSettings settings, Path config, Path topology) {
        FileStamp stamp = FileStamp.of(topology);
        ListedSwitch listed = listed(topology, guid)
                .orElseThrow(() -> new SettingsException(
                        topology + ": no switch " + Guids.text(guid) + "; expected a block for the guid of " + config));
        String fromFile = listed.name().isEmpty() ? Guids.text(guid) : listed.name();
        MemoryPlane plane =
                new MemoryPlane(guid, settings.name() == null ? fromFile : settings.name(), listed.portCount());
        plane.plug(listed.plugged());
        return new CableList(plane, topology, stamp, () -> plugged(topology, plane));
    }

    private static Optional<ListedSwitch> listed(Path topology, long guid) {
        try {
            return TopologyPanel.read(topology, guid);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A switch that was taken out of the panel has no cables. */
    private static List<PortState> plugged(Path topology, MemoryPlane plane) throws IOException {
        Optional<ListedSwitch> listed = TopologyPanel.read(topology, plane.guid());
        int portCount = listed.map(ListedSwitch::portCount).orElse(plane.portCount());
        if (portCount != plane.portCount()) {
            throw new SettingsException(topology + ": switch " + Guids.text(plane.guid()) + " has " + portCount
                    + " ports; expected " + plane.portCount() + " as at the start of the agent");
        }
        return listed.map(ListedSwitch::plugged).orElse(List.of());
    }

    /** Returns the switch. */
    MemoryPlane plane() {
        return plane;
    }

    /** Takes the cables over whether the file looks changed or not. */
    void readAgain() {
        takeOver(FileStamp.of(file));
    }

    /**
     * Takes the cables over if the file changed since the last look, and tells the agent which ports did. Throws nothing:
     * it is called again and again by a timer, which would end without a word.
     */
    void look() {
        FileStamp now = FileStamp.of(file);
        if (!now.equals(seen)) {
            takeOver(now);
        }
    }

    private void takeOver(FileStamp now) {
        seen = now;
        try {
            plane.plug(source.read()).forEach(plane::tell);
        } catch (SettingsException | IOException e) {
            stays(String.valueOf(e.getMessage()), null);
        } catch (RuntimeException e) {
            stays("defect: " + ThrownText.line(e), e);
        } catch (Error e) {
            HaltOnDefect.hand(e);
        }
    }

    private void stays(String why, @Nullable Throwable defect) {
        LOG.atWarn().setCause(defect).log("switch {}: cables stay as they are: {}", Guids.text(plane.guid()), why);
    }
}
