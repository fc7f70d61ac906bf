package io.dmodc.manager.loop;

import io.dmodc.topology.FabricView;
import java.util.SplittableRandom;

/** A copy of a fabric in which a cable breaks, heals, and another one breaks: the same ones with every start. */
final class ImaginedFabric {
    private final FabricView whole;
    private final RedrawnFabric fabric;
    private final SplittableRandom random = new SplittableRandom(1);

    /** Switch and port of the cable that is broken now; no switch if none is. */
    private int brokenAt = -1;

    private int brokenPort;

    ImaginedFabric(FabricView view) {
        whole = view;
        fabric = new RedrawnFabric(view);
    }

    /** The fabric after the next event; the first time, as it was given. */
    FabricView next() {
        FabricView view = fabric.draw();
        if (brokenAt >= 0) {
            fabric.setUp(brokenAt, brokenPort, true);
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
                fabric.setUp(s, port, false);
            }
        }
    }
}
