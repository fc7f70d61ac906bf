package io.dmodc.agent;

import io.dmodc.agent.AgentSettings.Plane.Kind;
import io.dmodc.agent.AgentSettings.Plane.PortSource;
import io.dmodc.agent.exec.ExecPlane;
import io.dmodc.agent.exec.ExecSettings;
import io.dmodc.agent.linux.AnnouncedCabling;
import io.dmodc.agent.linux.Announcer;
import io.dmodc.agent.linux.Cabling;
import io.dmodc.agent.linux.LinuxPlane;
import io.dmodc.agent.linux.LinuxSettings;
import io.dmodc.agent.linux.ListedHosts;
import io.dmodc.agent.linux.LldpHosts;
import io.dmodc.agent.plane.ForwardingPlane;
import io.dmodc.agent.plane.PlaneException;
import io.dmodc.settings.SettingsException;
import io.dmodc.southbound.Guids;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The plane that the settings of an agent name, with what belongs to it. Used by one thread at a time. */
final class PlaneHost implements AutoCloseable {
    private final ForwardingPlane plane;
    private final @Nullable CableList cables;
    private final Runnable start;
    private final Runnable end;

    private PlaneHost(ForwardingPlane plane, @Nullable CableList cables, Runnable start, Runnable end) {
        this.plane = plane;
        this.cables = cables;
        this.start = start;
        this.end = end;
    }

    /**
     * Makes it ready for an agent.
     *
     * @param file the settings came from, with {@code overrides}
     * @throws SettingsException in one line, when it cannot work here
     */
    static PlaneHost open(long guid, AgentSettings settings, Path file, Map<String, String> overrides) {
        if (settings.plane().kind() == Kind.LINUX) {
            return linux(guid, settings);
        }
        CableList list = CableList.open(guid, settings, file, overrides);
        CableList looked = settings.plane().portsFrom() == PortSource.FILE ? list : null;
        ExecSettings exec = settings.plane().exec();
        if (exec == null) {
            return new PlaneHost(list.plane(), looked, () -> {}, () -> {});
        }
        ExecPlane program = new ExecPlane(list.plane(), exec);
        return new PlaneHost(program, looked, program::start, program::close);
    }

    private static PlaneHost linux(long guid, AgentSettings settings) {
        Cabling cabling = null;
        try {
            Announcer self = Announcer.ofSwitch(settings.links().cluster(), guid);
            int portCount = settings.plane().portCount();
            cabling = new ListedHosts(
                    AnnouncedCabling.start(self, portCount), settings.plane().listedHosts());
            LinuxSettings ofPlane = linuxSettings(guid, settings);
            if (settings.plane().hostsFromLldp()) {
                cabling = LldpHosts.start(cabling, ofPlane);
            }
            Cabling opened = cabling;
            LinuxPlane plane = LinuxPlane.open(ofPlane, opened);
            return new PlaneHost(plane, null, () -> {}, () -> {
                plane.close();
                opened.close();
            });
        } catch (PlaneException | IOException e) {
            if (cabling != null) {
                cabling.close();
            }
            throw new SettingsException("plane.kind linux: " + e.getMessage());
        }
    }

    /** Returns what a plane of the kernel's routes is told. */
    static LinuxSettings linuxSettings(long guid, AgentSettings settings) {
        return new LinuxSettings(
                guid,
                settings.name() == null ? Guids.text(guid) : settings.name(),
                settings.plane().portCount(),
                settings.plane().interfacePrefix(),
                settings.plane().routeProtocol(),
                settings.plane().standingRoutes(),
                settings.stateDir(),
                List.of());
    }

    ForwardingPlane plane() {
        return plane;
    }

    /** Returns the file that lists what is plugged in, and is looked at while the agent runs; null: there is none. */
    @Nullable
    CableList cables() {
        return cables;
    }

    /** Begins, once somebody listens to the plane. */
    void start() {
        start.run();
    }

    /** Ends what belongs to it. What forwards goes on. */
    @Override
    public void close() {
        end.run();
    }
}
