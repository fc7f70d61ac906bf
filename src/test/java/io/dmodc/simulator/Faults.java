package io.dmodc.simulator;

import io.dmodc.manager.core.Act;
import io.dmodc.manager.core.Alarm;
import io.dmodc.manager.core.FabricEvent;
import io.dmodc.manager.core.Forgettable;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Chooses what goes wrong and when, and mends at the end what does not mend itself. */
final class Faults {
    private static final long SECOND = Simulation.SECOND;

    private final Simulation site;
    private final SplittableRandom random;
    private final FabricFaults fabric;
    private final ProcessFaults processes;
    private final List<Runnable> mends = new ArrayList<>();
    final Map<FaultKind, Integer> injected = new EnumMap<>(FaultKind.class);

    /** Of the second machine while two managers run; whoever dies stays dead until one is chosen. */
    @Nullable
    SimulatedDisk takeover;

    /** No fault begins or repeats itself any more. */
    boolean over;

    Faults(Simulation site, SplittableRandom random) {
        this.site = site;
        this.random = random;
        fabric = new FabricFaults(site, this, random);
        processes = new ProcessFaults(site, this, random);
    }

    /**
     * Plans the faults of a history: few kinds, so that some histories have only those that do not hide each other.
     *
     * @param allowed kinds to choose from
     * @return when the last one begins, nanoseconds from now
     */
    long plan(Set<FaultKind> allowed) {
        List<FaultKind> kinds = new ArrayList<>();
        int oneIn = 1 + random.nextInt(5);
        for (FaultKind kind : allowed) {
            if (random.nextInt(oneIn) == 0) {
                kinds.add(kind);
            }
        }
        if (kinds.isEmpty()) {
            kinds.add(List.copyOf(EnumSet.copyOf(allowed)).get(random.nextInt(allowed.size())));
        }
        int count = 5 + random.nextInt(1 + random.nextInt(16));
        long length = 30 * SECOND + random.nextLong(30 * SECOND);
        for (int i = 0; i < count; i++) {
            FaultKind kind = kinds.get(random.nextInt(kinds.size()));
            site.after(random.nextLong(length), () -> inject(kind));
        }
        return length;
    }

    private void inject(FaultKind kind) {
        site.trace("fault: %s", kind);
        if (!over && (fabric.inject(kind) || processes.inject(kind) || ask(kind))) {
            injected.merge(kind, 1, Integer::sum);
            site.mix(kind.name().hashCode(), 1);
        }
    }

    private boolean ask(FaultKind kind) {
        SimulatedManager manager = site.network.listening;
        if (manager == null || !manager.alive()) {
            return false;
        }
        switch (kind) {
            case ALARM_ACKNOWLEDGED -> manager.tell(anyAlarm(manager));
            case FORGET_ASKED -> manager.tell(asked(manager, Act.forget(List.of(anything()))));
            case REPLACE_ASKED -> replaceAsked();
            case REVOKE_ASKED ->
                manager.tell(new FabricEvent.RevokeAsked(
                        manager.clock(), Math.max(0, manager.state.epoch() - random.nextInt(3))));
            case SETTINGS_READ ->
                manager.tell(new FabricEvent.SettingsRead(
                        manager.clock(), random.nextBoolean() ? SimulatedManager.RULES : null, "read again"));
            default -> {
                return false;
            }
        }
        return true;
    }

    /** One of those that are open, or one that is not; now and then what was said of it is taken back. */
    private FabricEvent anyAlarm(SimulatedManager manager) {
        List<Alarm> open = List.copyOf(manager.state.alarms());
        long alarm = open.isEmpty() ? 1 : open.get(random.nextInt(open.size())).id();
        return random.nextInt(4) == 0
                ? new FabricEvent.WithdrawAsked(manager.clock(), alarm, "somebody")
                : new FabricEvent.AcknowledgeAsked(manager.clock(), alarm, "somebody", "looked after");
    }

    /** Mostly the new switch for one that was taken out, soon or late; now and then two switches by mistake. */
    private void replaceAsked() {
        if (anySwitch(s -> s.successor != null) == null && random.nextBoolean()) {
            fabric.inject(FaultKind.SWITCH_REPLACED);
        }
        site.after(random.nextLong(20 * SECOND), () -> {
            SimulatedManager manager = site.network.listening;
            if (manager != null && manager.alive()) {
                manager.tell(anyReplacement(manager));
            }
        });
    }

    private FabricEvent anyReplacement(SimulatedManager manager) {
        SimulatedSwitch old = anySwitch(s -> s.successor != null);
        SimulatedSwitch fresh = old == null ? null : old.successor;
        if (old == null || fresh == null || random.nextInt(4) == 0) {
            SimulatedSwitch gone = anySwitch(s -> !s.powered);
            SimulatedSwitch any = site.fabric.switches.get(random.nextInt(site.fabric.switches.size()));
            old = gone == null || random.nextInt(4) == 0 ? any : gone;
            fresh = site.fabric.switches.get(random.nextInt(site.fabric.switches.size()));
        }
        site.trace("asked to put %s in the place of %s", fresh, old);
        return asked(manager, Act.replace(old.guid, fresh.guid));
    }

    private static FabricEvent asked(SimulatedManager manager, Act act) {
        return new FabricEvent.ActAsked(manager.clock(), act, 0, "ada", "");
    }

    private Forgettable anything() {
        SimulatedSwitch at = site.fabric.switches.get(random.nextInt(site.fabric.switches.size()));
        SimulatedSwitch gone = anySwitch(s -> s.scrapped || !s.powered);
        return switch (random.nextInt(3)) {
            case 0 -> new Forgettable.SwitchGuid(gone == null ? at.guid : gone.guid);
            case 1 -> new Forgettable.CableAt(at.guid, 1 + random.nextInt(at.portCount));
            default ->
                new Forgettable.HostPort(site.fabric
                        .hosts
                        .get(random.nextInt(site.fabric.hosts.size()))
                        .portGuid());
        };
    }

    @Nullable
    SimulatedSwitch anySwitch(Predicate<SimulatedSwitch> fits) {
        List<SimulatedSwitch> all = site.fabric.switches;
        int start = random.nextInt(all.size());
        for (int i = 0; i < all.size(); i++) {
            SimulatedSwitch s = all.get((start + i) % all.size());
            if (fits.test(s)) {
                return s;
            }
        }
        return null;
    }

    @Nullable
    SimulatedAgent anyAgent() {
        SimulatedSwitch at = anySwitch(s -> s.agent != null && s.agent.well());
        return at == null ? null : at.agent;
    }

    /** What must be done before the fabric can be quiet; harmless when it is done already. */
    void mendLater(Runnable mend) {
        mends.add(mend);
    }

    /** Mostly short, sometimes longer than any patience. */
    long absenceNanos() {
        return random.nextInt(3) == 0 ? 5 * SECOND + random.nextLong(35 * SECOND) : random.nextLong(4 * SECOND);
    }

    /** A process that ended is started again by its supervisor. */
    void managerDied(SimulatedManager manager) {
        if (takeover == null) {
            site.after(200_000_000 + random.nextLong(3 * SECOND), this::startManager);
        }
    }

    void startManager() {
        SimulatedManager listening = site.network.listening;
        if (takeover != null || (listening != null && listening.alive() && listening.disk == site.disk)) {
            return;
        }
        if (site.disk.full()) {
            site.after(SECOND, this::startManager);
        } else {
            site.startManager(site.disk);
        }
    }

    /** Ends all that does not end by itself. */
    void mendAll() {
        over = true;
        mends.forEach(Runnable::run);
        site.disk.fullUntil = 0;
        site.disk.slowUntil = 0;
        for (SimulatedSwitch s : site.fabric.switches) {
            SimulatedAgent agent = s.agent;
            if (agent != null && !s.scrapped && s.powered) {
                agent.deaf = false;
                agent.slowPlaneUntil = 0;
                agent.failingPlaneUntil = 0;
                agent.endForeign();
                agent.endMute();
                agent.crashPoint = SimulatedAgent.CrashPoint.NONE;
                site.network.rejoin(s.guid);
                agent.start();
            }
        }
    }
}
