package io.dmodc.simulator;

import io.dmodc.manager.core.Act;
import io.dmodc.manager.core.Act.Verb;
import io.dmodc.manager.core.FabricEvent.ActAsked;
import io.dmodc.manager.core.FabricSnapshot;
import io.dmodc.manager.core.Forgettable;
import io.dmodc.manager.core.SwitchSnapshot;
import io.dmodc.manager.loop.ActPlanning;
import io.dmodc.manager.loop.ActPlanning.Planned;
import io.dmodc.manager.loop.ActPlanning.Wanted;
import io.dmodc.manager.loop.DeclinedException;
import io.dmodc.manager.loop.EngineChoice;
import io.dmodc.manager.state.StateRecord.KeptEpoch;
import io.dmodc.topology.PortPlace;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** People who have an act planned, look at what it would do, and apply it: at once, or when the fabric may have moved on. */
final class PlannedActs {
    private static final ActPlanning PLANNING = new ActPlanning(new EngineChoice("dmodc", null, null, ""), true, 1);
    private static final List<String> ENGINES = List.of("", "updn", "dmodc", "minhop");
    private static final long APPLIED_WITHIN = 3 * Simulation.SECOND;

    private final Simulation site;
    private final SplittableRandom random;

    PlannedActs(Simulation site, SplittableRandom random) {
        this.site = site;
        this.random = random;
    }

    /** Plans what they do until {@code length} from now. */
    void plan(long length) {
        int count = 1 + random.nextInt(20);
        for (int i = 0; i < count; i++) {
            site.after(random.nextLong(length), this::planOne);
        }
    }

    private void planOne() {
        SimulatedManager manager = site.network.listening;
        FabricSnapshot now = manager == null || !manager.alive() ? null : manager.state.snapshot();
        if (manager == null || now == null || now.intent().engineName().equals(SimulatedManager.NO_TABLES)) {
            return;
        }
        try {
            Act act = any(now);
            Planned planned = act == null ? null : PLANNING.plan(now, new Wanted(act, act.objects(), false));
            if (planned != null) {
                long after = random.nextInt(3) == 0 ? random.nextLong(APPLIED_WITHIN) : 0;
                site.after(after, () -> apply(manager, now, planned));
            }
        } catch (DeclinedException e) {
            site.trace("not planned: %s", e.getMessage());
        }
    }

    private void apply(SimulatedManager manager, FabricSnapshot then, Planned planned) {
        Act act = planned.act();
        if (act == null || !planned.isApplicable() || !manager.alive() || manager != site.network.listening) {
            return;
        }
        site.trace("plan for epoch %d: %s %s %s", planned.epoch(), act.verb(), act.objects(), act.value());
        site.mix(act.verb().name().hashCode(), planned.epoch());
        site.fabric.touch();
        site.laws.applying(manager, then, planned);
        manager.tell(new ActAsked(manager.clock(), act, planned.epoch(), "somebody", "planned work"));
    }

    private @Nullable Act any(FabricSnapshot now) {
        return switch (random.nextInt(9)) {
            case 0, 1 -> drain(now);
            case 2 -> undrain(now);
            case 3 -> Act.engine(ENGINES.get(random.nextInt(ENGINES.size())), false);
            case 4 -> forget(now);
            default -> rollback(now);
        };
    }

    private @Nullable Act drain(FabricSnapshot now) {
        SimulatedSwitch at = site.fabric.switches.get(random.nextInt(site.fabric.switches.size()));
        PortPlace place = new PortPlace(at.guid, random.nextBoolean() ? 0 : 1 + random.nextInt(at.portCount));
        PortPlace far = place.port() == 0 ? place : now.farEnd(place);
        if (far == null || now.findSwitch(at.guid) == null) {
            return null;
        }
        return new Act(Verb.DRAIN, List.of(place.compareTo(far) < 0 ? place : far), "");
    }

    private @Nullable Act undrain(FabricSnapshot now) {
        List<PortPlace> some = now.intent().drained().stream()
                .filter(place -> random.nextBoolean())
                .toList();
        return some.isEmpty() ? null : new Act(Verb.UNDRAIN, some, "");
    }

    /** A switch without power, or a host whose cable is out. */
    private @Nullable Act forget(FabricSnapshot now) {
        SimulatedSwitch gone = site.faults.anySwitch(s -> !s.powered);
        int host = random.nextInt(site.fabric.hosts.size());
        Forgettable what = gone != null && random.nextBoolean()
                ? new Forgettable.SwitchGuid(gone.guid)
                : new Forgettable.HostPort(site.fabric.hosts.get(host).portGuid());
        return now.knows(what) && !now.works(what) ? Act.forget(List.of(what)) : null;
    }

    private @Nullable Act rollback(FabricSnapshot now) {
        List<KeptEpoch> kept = now.kept().epochs();
        return kept.isEmpty()
                ? null
                : ActPlanning.rollback(
                        now, kept.get(random.nextInt(kept.size())).epoch());
    }

    /** All switches of a fabric can be told their tables, and hold them. */
    static boolean isAtRest(FabricSnapshot fabric) {
        return fabric.calm()
                && fabric.heldDownCount() == 0
                && fabric.intent().pause() == null
                && fabric.switches().stream().allMatch(PlannedActs::isAtRest);
    }

    private static boolean isAtRest(SwitchSnapshot at) {
        return at.agentConnected() && !at.agentSilent() && at.upToDate() && at.heldRow() != null;
    }
}
