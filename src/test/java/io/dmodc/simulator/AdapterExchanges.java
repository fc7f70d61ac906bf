package io.dmodc.simulator;

import io.dmodc.manager.core.Act;
import io.dmodc.manager.core.Act.HostPair;
import io.dmodc.manager.core.FabricEvent.ActAsked;
import io.dmodc.topology.Host;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Adapters die, others are put into their place, and people have these take the node index over: before or after they are plugged in, or by
 * mistake. A source of chance of their own keeps histories without them as they are.
 */
final class AdapterExchanges {
    private static final long SECOND = Simulation.SECOND;
    private static final int COUNT_MAX = 8;

    private final Simulation site;
    private final SplittableRandom random;
    private final List<HostPair> done = new ArrayList<>();

    AdapterExchanges(Simulation site, SplittableRandom random) {
        this.site = site;
        this.random = random;
    }

    /** Plans what happens until {@code length} from now. */
    void plan(long length) {
        int count = 1 + random.nextInt(COUNT_MAX);
        for (int i = 0; i < count; i++) {
            site.after(random.nextLong(length), this::exchange);
        }
    }

    /** The port has no carrier until the new one is in. */
    private void exchange() {
        int h = random.nextInt(site.fabric.hosts.size());
        SimulatedSwitch leaf = site.fabric.hostSwitch.get(h);
        int port = site.fabric.hostPort.get(h);
        if (site.faults.over || !site.fabric.hostUp(h)) {
            return;
        }
        Host old = site.fabric.hosts.get(h);
        long guid = 0x0bad_0000_0000_0000L + done.size();
        site.trace("the adapter of %s at %s:%d is exchanged for %x", old.name(), leaf, port, guid);
        site.fabric.setEnd(leaf, port, false);
        site.fabric.hosts.set(h, new Host(guid, guid, 1, old.name(), old.addresses()));
        done.add(new HostPair(old.portGuid(), guid));
        Runnable plug = () -> site.fabric.setEnd(leaf, port, true);
        site.after(random.nextLong(10 * SECOND), plug);
        site.faults.mendLater(plug);
        if (random.nextInt(4) != 0) {
            site.after(random.nextLong(20 * SECOND), () -> ask(new HostPair(old.portGuid(), guid)));
        }
        if (random.nextInt(3) == 0) {
            site.after(random.nextLong(20 * SECOND), () -> ask(any()));
        }
    }

    /** Two host ports that need have nothing to do with each other, or the right ones once more or the other way round. */
    private HostPair any() {
        HostPair one = done.get(random.nextInt(done.size()));
        return switch (random.nextInt(4)) {
            case 0 -> one;
            case 1 -> new HostPair(one.newGuid(), one.oldGuid());
            case 2 -> new HostPair(anyHost(), one.newGuid());
            default -> new HostPair(random.nextBoolean() ? anyHost() : one.oldGuid(), anyHost());
        };
    }

    private long anyHost() {
        return site.fabric.hosts.get(random.nextInt(site.fabric.hosts.size())).portGuid();
    }

    private void ask(HostPair pair) {
        SimulatedManager manager = site.network.listening;
        if (manager == null || !manager.alive() || site.faults.over) {
            return;
        }
        site.trace("act: host port %x in the place of %x", pair.newGuid(), pair.oldGuid());
        site.mix(pair.oldGuid(), pair.newGuid());
        site.fabric.touch();
        manager.tell(new ActAsked(manager.clock(), Act.replaceHosts(List.of(pair)), 0, "ada", "burnt"));
    }
}
