package io.dmodc.manager.loop;

import io.dmodc.topology.FabricChange.PortSeen;
import io.dmodc.topology.FabricChange.SwitchSeen;
import io.dmodc.topology.FabricChange.SwitchState;
import io.dmodc.topology.FabricChange.ToHost;
import io.dmodc.topology.FabricChange.ToSwitch;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.FabricViewBuilder;
import io.dmodc.topology.GuidNumbers;
import io.dmodc.topology.Host;
import io.dmodc.topology.NodeIndexMap;
import java.util.SplittableRandom;

/** A copy of a fabric in which a cable breaks, heals, and another one breaks: the same ones with every start. */
final class ImaginedFabric {
    private final FabricViewBuilder fabric = new FabricViewBuilder();
    private final NodeIndexMap nodes = new NodeIndexMap();
    private final GuidNumbers levels = new GuidNumbers();
    private final FabricView whole;
    private final SplittableRandom random = new SplittableRandom(1);

    /** Switch and port of the cable that is broken now; no switch if none is. */
    private int brokenAt = -1;

    private int brokenPort;

    ImaginedFabric(FabricView view) {
        whole = view;
        for (int s = 0; s < view.switchCount(); s++) {
            fabric.apply(new SwitchSeen(view.switchGuid(s), view.switchName(s), view.portCount(s)));
            if (view.rank(s) >= 0) {
                levels.put(view.switchGuid(s), view.rank(s));
            }
        }
        for (int s = 0; s < view.switchCount(); s++) {
            for (int port = 1; port <= view.portCount(s); port++) {
                connect(s, port);
            }
            if (!view.alive(s)) {
                fabric.apply(new SwitchState(view.switchGuid(s), false));
            }
        }
    }

    private void connect(int s, int port) {
        int remote = whole.peerSwitch(s, port);
        int node = whole.peerNode(s, port);
        Host host = node < 0 ? null : whole.host(node);
        if (remote >= 0) {
            setUp(s, port, true);
        } else if (host != null) {
            fabric.apply(new PortSeen(whole.switchGuid(s), port, true, new ToHost(host)));
        }
    }

    private void setUp(int s, int port, boolean up) {
        ToSwitch to = new ToSwitch(whole.switchGuid(whole.peerSwitch(s, port)), whole.peerPort(s, port));
        fabric.apply(new PortSeen(whole.switchGuid(s), port, up, to));
    }

    /** The fabric after the next event; the first time, as it was given. */
    FabricView next() {
        FabricView view = fabric.build(whole.epoch(), nodes, levels);
        if (brokenAt >= 0) {
            setUp(brokenAt, brokenPort, true);
            brokenAt = -1;
        } else {
            breakSome();
        }
        return view;
    }

    /** A few tries find a port with a cable to another switch; if not, the next view is the same again. */
    private void breakSome() {
        for (int i = 0; i < 64 && brokenAt < 0; i++) {
            int s = random.nextInt(whole.switchCount());
            int port = 1 + random.nextInt(whole.portCount(s));
            if (whole.peerSwitch(s, port) >= 0) {
                brokenAt = s;
                brokenPort = port;
                setUp(s, port, false);
            }
        }
    }
}
