package io.dmodc.agent.linux;

import io.dmodc.agent.plane.Neighbour.SwitchPort;
import io.dmodc.agent.plane.PlaneException;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A switch of three ports, which is the namespace s; the far ends of its cables are q1 to q3 in the namespace far. */
final class ThreePorts implements AutoCloseable {
    final Namespaces net;

    private ThreePorts(Namespaces net) {
        this.net = net;
    }

    /** Skips the test where namespaces are refused, and says so. */
    static ThreePorts open() throws IOException {
        ThreePorts made = new ThreePorts(Namespaces.open());
        made.net.make("s");
        made.net.make("far");
        made.net.cables(3, "s", "p", "far", "q");
        return made;
    }

    /** A plane with a fourth port, which has no interface, that knows its far ends and has not read what the kernel holds. */
    PlaneRig rig(@Nullable Path stateDir, boolean standing) throws PlaneException, IOException {
        PlaneRig rig = new PlaneRig(net.command("s"), 4, stateDir, standing);
        plugIn(rig);
        return rig;
    }

    /** A plane of this switch knows its far ends from now on. */
    void plugIn(PlaneRig rig) throws IOException {
        for (int port = 1; port <= 3; port++) {
            rig.cabling.set(port, new FarEnd(new SwitchPort(0x20 + port, 1), net.mac("far", "q" + port)));
        }
    }

    @Override
    public void close() throws IOException {
        net.close();
    }
}
