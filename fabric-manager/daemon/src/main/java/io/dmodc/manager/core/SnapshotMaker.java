package io.dmodc.manager.core;

import io.dmodc.manager.core.SwitchRecord.Condition;
import io.dmodc.manager.state.StateRecord.ExpectedSwitch;
import io.dmodc.topology.PortPlace;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Makes a {@link FabricSnapshot} of the state after each batch, out of the last one and what changed.
 *
 * <p>Whoever changes what is known of a switch, its agent or a port names it here; only what was named is copied. So a batch
 * costs what happened in it: one small object for the whole, and for each switch named its fields, the way to it in a
 * {@link LongTrie}, and its arrays of ports if a port of it was named.
 */
final class SnapshotMaker {
    private final FabricState state;

    /** By GUID, the ports that may be others than before: bit n for port n, bit 0 for all of them. */
    private Map<Long, BitSet> changed = new HashMap<>();

    private final Counters counters = new Counters();
    private LongTrie<SwitchSnapshot> switches = LongTrie.empty();
    private LongTrie<ExpectedSwitch> expected = LongTrie.empty();
    private LongTrie<EpochRecord> epochs = LongTrie.empty();

    /** Those of the epochs that may change still. */
    private @Nullable EpochRecord lastShown;

    private @Nullable EpochRecord servingShown;
    private @Nullable FabricSnapshot last;

    SnapshotMaker(FabricState state) {
        this.state = state;
    }

    /** Agent, table or condition of this switch are others than before, or it came, or it went. */
    void switchChanged(long guid) {
        changed.computeIfAbsent(guid, any -> new BitSet());
    }

    /** What is said or believed of this port is another. */
    void portChanged(long guid, int port) {
        changed.computeIfAbsent(guid, any -> new BitSet()).set(port);
    }

    /** The switch is another one than before, with all its ports. */
    void replaced(long guid) {
        portChanged(guid, 0);
    }

    /** This is expected of a switch from now on. */
    void expects(ExpectedSwitch known) {
        switchChanged(known.guid());
        expected = expected.with(known.guid(), known);
    }

    /** Nothing is expected of this switch any more. */
    void expectsNothing(long guid) {
        switchChanged(guid);
        expected = expected.without(guid);
    }

    /** The snapshot made last. */
    FabricSnapshot last() {
        FabricSnapshot made = last;
        return made == null ? make() : made;
    }

    /** Makes the next snapshot. */
    FabricSnapshot make() {
        for (PortPlace place : state.cabling.takeMoved()) {
            portChanged(place.guid(), place.port());
        }
        if (!changed.isEmpty()) {
            for (var each = changed.entrySet().iterator(); each.hasNext(); ) {
                var entry = each.next();
                copy(entry.getKey(), entry.getValue());
                each.remove();
            }
            // One that was large once would be slow to look through for ever.
            changed = new HashMap<>();
        }
        showEpochs();
        last = new FabricSnapshot(state, switches, expected, epochs, counters.frozen());
        return last;
    }

    private void copy(long guid, BitSet ports) {
        SwitchSnapshot before = switches.get(guid);
        SwitchRecord record = state.switches.get(guid);
        SwitchSnapshot now =
                record == null ? null : SwitchSnapshot.of(state, record, ports.get(0) ? null : before, ports);
        counters.count(before, last != null && last.expects(guid), -1);
        if (now != null) {
            switches = switches.with(guid, now);
        } else if (before != null) {
            switches = switches.without(guid);
        }
        counters.count(now, expected.has(guid), 1);
    }

    /** A view that was drawn made a new epoch; what became of the one before and of the one served is known by now. */
    private void showEpochs() {
        EpochRecord oldest = state.epochs.peekFirst();
        if (oldest == null) {
            return;
        }
        show(lastShown, oldest);
        show(servingShown, oldest);
        lastShown = state.epochs.peekLast();
        servingShown = state.serving;
        show(lastShown, oldest);
        show(servingShown, oldest);
        for (EpochRecord gone = epochs.first(); gone != null && gone.epoch < oldest.epoch; gone = epochs.first()) {
            epochs = epochs.without(gone.epoch);
        }
    }

    private void show(@Nullable EpochRecord epoch, EpochRecord oldest) {
        if (epoch != null && epoch.epoch >= oldest.epoch) {
            EpochRecord shown = epochs.get(epoch.epoch);
            if (shown == null || !shown.sameAs(epoch)) {
                epochs = epochs.with(epoch.epoch, epoch.copy());
            }
        }
    }

    /** {@link SwitchCounts}, counted on with each switch that is another. */
    private static final class Counters {
        private int connected;
        private int headless;
        private int unproved;
        private int dead;
        private int agents;
        private int silent;
        private int flagged;
        private int heedless;
        private int down;
        private int held;
        private SwitchCounts frozen = SwitchCounts.NONE;

        /** @param one 1 for one more that is like this, −1 for one less */
        void count(@Nullable SwitchSnapshot it, boolean expected, int one) {
            if (it == null) {
                down += expected ? one : 0;
            } else {
                down += expected && it.condition() == Condition.DEAD ? one : 0;
                held += expected && it.condition() != Condition.DEAD && it.bypassed() ? one : 0;
                connected += it.condition() == Condition.CONNECTED ? one : 0;
                headless += it.condition() == Condition.HEADLESS ? one : 0;
                unproved += it.unproved() ? one : 0;
                dead += it.condition() == Condition.DEAD ? one : 0;
                flagged += it.flagged() ? one : 0;
                if (it.agentConnected()) {
                    agents += one;
                    silent += it.agentSilent() ? one : 0;
                    heedless += it.flagged() && !it.agentSilent() ? one : 0;
                }
            }
        }

        SwitchCounts frozen() {
            SwitchCounts now = new SwitchCounts(
                    connected, headless, unproved, dead, agents, silent, flagged, heedless, down, held);
            frozen = now.equals(frozen) ? frozen : now;
            return frozen;
        }
    }
}
