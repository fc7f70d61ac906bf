package io.dmodc.manager.core;

import io.dmodc.manager.core.SwitchRecord.Condition;
import io.dmodc.manager.core.SwitchRecord.Forwarding;
import io.dmodc.manager.state.StateRecord.ExpectedSwitch;
import io.dmodc.topology.FabricChange.ToHost;
import io.dmodc.topology.FabricChange.ToSwitch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;

/** What a snapshot must say, found by looking at the whole state: everything is copied afresh and counted by a scan. */
final class SnapshotTwin {
    private SnapshotTwin() {}

    /** @throws AssertionError that names the first thing that readers are not shown as it is */
    static void verify(FabricState state) {
        FabricSnapshot shown = state.snapshot();
        same("switches", copied(state), all(shown.switches()));
        same("strangers", all(strangers(state)), all(shown.unattached()));
        same("expected", expected(state), shown.expected());
        same("epochs", epochs(state.epochs()), epochs(shown.epochs()));
        same("counts", counts(state), shown.counts());
        same("switch totals", switchTotals(state), shown.switchTotals());
        same(
                "links live",
                working(state, ToSwitch.class) / 2,
                shown.linkTotals().live());
        same("hosts live", working(state, ToHost.class), shown.hostTotals().live());
        same("alarms", List.copyOf(state.alarms()), shown.alarms());
        same("whole", whole(state), whole(shown));
    }

    private static void same(String what, Object known, Object shown) {
        if (!Objects.equals(known, shown)) {
            throw new AssertionError(what + ": known\n" + known + "\nshown\n" + shown);
        }
    }

    private static List<Object> copied(FabricState state) {
        List<SwitchSnapshot> copies = new ArrayList<>();
        for (SwitchRecord record : state.switches.values()) {
            copies.add(SwitchSnapshot.of(state, record, null, new BitSet()));
        }
        return all(copies);
    }

    private static List<SwitchSnapshot> strangers(FabricState state) {
        return state.unattached().stream().map(SwitchSnapshot::unattached).toList();
    }

    /** Everything one can read of some switches. */
    static List<Object> all(List<SwitchSnapshot> some) {
        List<Object> facts = new ArrayList<>();
        for (SwitchSnapshot it : some) {
            facts.add(List.of(it.guid(), it.name(), it.portCount(), it.incarnation(), it.condition()));
            facts.add(List.of(it.agentConnected(), it.agentSilent(), it.flagged(), it.bypassed(), it.alive()));
            facts.add(List.of(it.pushInFlight(), it.upToDate(), it.heldEntries(), it.ackedDigest(), it.ackedEpoch()));
            facts.add(List.of(it.heldRow() != null, it.desiredRow() != null, it.desiredDigest()));
            facts.add(List.of(it.nextRound(), it.nextRound() > 1 ? it.roundSinceMillis() : 0));
            for (int port = 1; port <= it.portCount(); port++) {
                facts.add(Arrays.asList(port, it.claim(port), it.neighbour(port), it.rate(port), it.flapCount(port)));
                facts.add(List.of(it.saysUp(port), it.heldDown(port), it.unheard(port), it.disagrees(port)));
                facts.add(List.of(it.slow(port), it.leftOut(port)));
            }
        }
        return facts;
    }

    private static List<ExpectedSwitch> expected(FabricState state) {
        List<ExpectedSwitch> all = new ArrayList<>();
        state.inventory()
                .switchGuids()
                .forEach(guid -> all.add(state.inventory().known(guid)));
        return all;
    }

    private static List<List<Object>> epochs(Iterable<EpochRecord> epochs) {
        List<List<Object>> all = new ArrayList<>();
        for (EpochRecord it : epochs) {
            all.add(List.of(
                    it.epoch(),
                    it.cause(),
                    it.stage(),
                    it.verdict(),
                    List.of(it.noticedNanos(), it.startedNanos(), it.routedNanos(), it.completeNanos()),
                    List.of(it.routeNanos(), it.checkNanos()),
                    it.switchesPushed(),
                    it.blocksPushed(),
                    it.cutOffLeaves()));
        }
        return all;
    }

    private static SwitchCounts counts(FabricState state) {
        Totals totals = switchTotals(state);
        return new SwitchCounts(
                count(state, record -> record.condition == Condition.CONNECTED),
                count(state, record -> record.condition == Condition.HEADLESS),
                count(
                        state,
                        record -> state.cabling.alive(record.guid)
                                && record.condition == Condition.HEADLESS
                                && (record.forwarding == Forwarding.UNTESTABLE
                                        || record.forwarding == Forwarding.UNANSWERED)),
                count(state, record -> record.condition == Condition.DEAD),
                count(state, SwitchRecord::agentConnected),
                count(state, record -> record.agentConnected() && record.silent),
                count(state, record -> record.flagged),
                count(state, record -> record.agentConnected() && !record.silent && record.flagged),
                totals.down(),
                totals.held());
    }

    private static int count(FabricState state, Predicate<SwitchRecord> which) {
        return (int) state.switches.values().stream().filter(which).count();
    }

    private static Totals switchTotals(FabricState state) {
        int down = 0;
        int held = 0;
        for (long guid : state.inventory().switchGuids()) {
            SwitchRecord record = state.switches.get(guid);
            boolean gone = record == null || record.condition == Condition.DEAD;
            down += gone ? 1 : 0;
            held += record != null && !gone && record.bypassed ? 1 : 0;
        }
        return Totals.of(state.inventory().switchCount(), down, held);
    }

    private static int working(FabricState state, Class<?> kind) {
        int working = 0;
        for (long guid : state.inventory().switchGuids()) {
            for (int port = 1; port <= state.inventory().portCount(guid); port++) {
                working += kind.isInstance(state.inventory().expected(guid, port)) && state.works(guid, port) ? 1 : 0;
            }
        }
        return working;
    }

    private static List<Object> whole(FabricState state) {
        return List.of(
                List.of(state.leaderEpoch(), state.deposed(), state.epoch(), state.discovering(), state.computing()),
                List.of(
                        state.calm(),
                        state.outstanding(),
                        state.heldDownCount(),
                        state.linkFlaps(),
                        state.foreignSources,
                        state.cutOff()),
                List.of(state.membership(), state.ringViolations(), state.ringWorstRuns()),
                state.view() == null ? -1 : state.view().epoch(),
                state.tables() == null ? -1 : state.tables().epoch());
    }

    private static List<Object> whole(FabricSnapshot shown) {
        return List.of(
                List.of(shown.leaderEpoch(), shown.deposed(), shown.epoch(), shown.discovering(), shown.computing()),
                List.of(
                        shown.calm(),
                        shown.outstanding(),
                        shown.heldDownCount(),
                        shown.linkFlaps(),
                        shown.foreignSources(),
                        shown.cutOff()),
                List.of(shown.membership(), shown.ringViolations(), shown.ringWorstRuns()),
                shown.view() == null ? -1 : shown.view().epoch(),
                shown.tables() == null ? -1 : shown.tables().epoch());
    }
}
