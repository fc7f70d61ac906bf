package io.dmodc.manager.core;

import io.dmodc.manager.core.FabricEvent.AgentJoined;
import io.dmodc.manager.core.FabricEvent.AgentLeft;
import io.dmodc.manager.core.FabricEvent.HeldTable;
import io.dmodc.manager.core.FabricEvent.Persisted;
import io.dmodc.manager.core.FabricEvent.PortsReported;
import io.dmodc.manager.core.FabricEvent.RingAddress;
import io.dmodc.manager.core.FabricEvent.Routed;
import io.dmodc.manager.core.FabricEvent.TableAcked;
import io.dmodc.manager.core.FabricEvent.TimePassed;
import io.dmodc.manager.core.SettleBenchmark.SwitchPush;
import io.dmodc.manager.state.StateRecord.LeaderEpoch;
import io.dmodc.manager.state.StoredState;
import io.dmodc.routing.LftRow;
import io.dmodc.routing.LftSet;
import io.dmodc.routing.RoutingResult;
import io.dmodc.routing.UpperPairs;
import io.dmodc.routing.check.CheckReport;
import io.dmodc.topology.FabricChange.Neighbour;
import io.dmodc.topology.FabricChange.PortSeen;
import io.dmodc.topology.FabricChange.ToHost;
import io.dmodc.topology.FabricChange.ToSwitch;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.FabricViewBuilder;
import io.dmodc.topology.GuidNumbers;
import io.dmodc.topology.NodeIndexMap;
import io.dmodc.topology.pgft.Degradation;
import io.dmodc.topology.pgft.Degradation.Cable;
import io.dmodc.topology.pgft.PgftGenerator;
import io.dmodc.topology.pgft.PgftShape;
import io.dmodc.topology.rates.SlowLinkUse;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The real step with all switches of a fabric connected and served, for {@link SettleBenchmark} and {@link RestoreBenchmark}. Tables are made
 * up unless somebody computes them: the step compares and sends rows, and does not look into them. Each batch is taken in, settled, and asked for its deadline.
 */
final class SettledFabric {
    /** How long the step waits for more news before it draws a view. */
    static final long SETTLE_NANOS = 2 * SimulatedFabric.MILLI;

    /** How many switches get another table with each epoch. */
    private static final int DIFFER = 16;

    private final FabricViewBuilder metal;
    private final FabricView whole;
    private final FabricState state;
    private final FabricStep step;
    private final List<Effect> effects = new ArrayList<>();

    /** {@code null}: tables are made up. */
    private final @Nullable Function<Effect.Compute, Routed> computation;

    private final Deque<SwitchPush> pushes = new ArrayDeque<>();
    private final int[] leaves;
    private Effect.@Nullable Compute compute;
    private long persisted;
    private long settleNanos;
    private long now = 1;
    private int epochs;
    private LftRow[] rows = {};
    private long[] digests = {};
    private @Nullable LftSet tables;
    private @Nullable Routed computed;

    SettledFabric(PgftShape shape) {
        this(shape, null);
    }

    /** @param computation makes the tables; {@code null}: they are made up */
    SettledFabric(PgftShape shape, @Nullable Function<Effect.Compute, Routed> computation) {
        this.computation = computation;
        metal = PgftGenerator.generate(shape);
        whole = metal.build(0, new NodeIndexMap(), new GuidNumbers());
        leaves = IntStream.range(0, whole.switchCount()).filter(whole::isLeaf).toArray();
        StoredState first = StoredState.of(List.of(new LeaderEpoch(1)));
        state = new FabricState(rules(), now, 0, first, Set.of());
        step = new FabricStep(state);
        for (int s = 0; s < whole.switchCount(); s++) {
            join(s);
        }
        settle();
        rest();
    }

    /** Time goes on until nothing is left to do. */
    void rest() {
        while (!state.calm() || step.nextDeadline() != Long.MAX_VALUE) {
            advance();
        }
    }

    /** What was sent and not acknowledged yet, in order. */
    Iterable<SwitchPush> pushes() {
        return pushes;
    }

    /** The whole fabric. */
    FabricView whole() {
        return whole;
    }

    /** A switch loses power: its agent goes, and its neighbours see their links down. */
    void lose(int s) {
        step.accept(new AgentLeft(now, s + 1, whole.switchGuid(s), "connection lost"), effects);
        tellNeighbours(s, false);
        settle();
    }

    /** It is back, without a table. */
    void bringBack(int s) {
        join(s);
        tellNeighbours(s, true);
        settle();
    }

    private void tellNeighbours(int s, boolean up) {
        for (int port = 1; port <= whole.portCount(s); port++) {
            int far = whole.peerSwitch(s, port);
            if (far >= 0) {
                long guid = whole.switchGuid(far);
                int farPort = whole.peerPort(s, port);
                PortSeen seen = new PortSeen(guid, farPort, up, new ToSwitch(whole.switchGuid(s), port));
                step.accept(new PortsReported(now, far + 1, guid, false, List.of(seen)), effects);
            }
        }
    }

    /** True if a computation is under way. */
    boolean computing() {
        return compute != null;
    }

    /** True if records wait for the store. */
    boolean keepsRecords() {
        return persisted > 0;
    }

    private static FabricRules rules() {
        FabricRules usual = SimulatedFabric.RULES;
        return new FabricRules(
                usual.ackTimeoutNanos(),
                usual.pushTries(),
                usual.drainNanos(),
                usual.holdDownNanos(),
                usual.holdDownMaxNanos(),
                usual.flapMemoryNanos(),
                SETTLE_NANOS,
                usual.discoveryQuietNanos(),
                usual.discoveryTimeoutNanos(),
                usual.connectedPercent(),
                usual.membershipQuietNanos(),
                usual.ringSeed(),
                usual.domains(),
                usual.groupOrder(),
                usual.nodeTypes(),
                usual.design(),
                RebalanceRule.STANDARD,
                SlowLinkUse.IGNORE);
    }

    private void join(int s) {
        long guid = whole.switchGuid(s);
        int ports = metal.portCount(guid);
        step.accept(
                new AgentJoined(
                        now,
                        s + 1,
                        guid,
                        metal.name(guid),
                        ports,
                        1,
                        new HeldTable(0, 0, 0, 0),
                        new RingAddress("agent" + s, 7471)),
                effects);
        List<PortSeen> all = new ArrayList<>();
        for (int port = 1; port <= ports; port++) {
            all.add(new PortSeen(guid, port, metal.saysUp(guid, port), metal.neighbour(guid, port)));
        }
        step.accept(new PortsReported(now, s + 1, guid, true, all), effects);
    }

    private void advance() {
        if (compute != null) {
            computeTables();
            routed();
        } else if (!pushes.isEmpty()) {
            while (!pushes.isEmpty()) {
                acceptAck(pushes.removeFirst());
            }
            settle();
        } else if (persisted > 0) {
            recordsKept();
        } else {
            pass(step.nextDeadline() - now);
            timePassed();
        }
    }

    FabricSnapshot snapshot() {
        return state.snapshot();
    }

    int switchCount() {
        return whole.switchCount();
    }

    Cable[] cables() {
        return Degradation.cables(whole).toArray(Cable[]::new);
    }

    /** GUID of some leaf. */
    long leaf(int i) {
        return whole.switchGuid(leaves[(int) (i * 7919L % leaves.length)]);
    }

    ToHost host(long leaf) {
        return (ToHost) Objects.requireNonNull(metal.neighbour(leaf, 1));
    }

    /** Time goes on to the moment when the ports that are held down are let go. */
    void passHold() {
        pass(state.holdDown.nextDeadline() - now);
    }

    void pass(long nanos) {
        now += Math.max(0, nanos);
    }

    void tellPort(ToSwitch at, boolean up, Neighbour far) {
        long session = whole.switchOf(at.guid()) + 1L;
        PortSeen seen = new PortSeen(at.guid(), at.port(), up, far);
        step.accept(new PortsReported(now, session, at.guid(), false, List.of(seen)), effects);
        settle();
    }

    /** What settling took in the last batch, with the next deadline, in nanoseconds of processor time. */
    long settleNanos() {
        return settleNanos;
    }

    void timePassed() {
        step.accept(new TimePassed(now), effects);
        settle();
    }

    void recordsKept() {
        step.accept(new Persisted(now, persisted), effects);
        persisted = 0;
        settle();
    }

    @Nullable
    SwitchPush nextPush() {
        return pushes.pollFirst();
    }

    void acked(SwitchPush push) {
        acceptAck(push);
        settle();
    }

    private void acceptAck(SwitchPush push) {
        Effect.TableUpdate update = push.update();
        step.accept(
                new TableAcked(now, push.session(), update.guid(), update.fabricEpoch(), update.resultDigest()),
                effects);
    }

    /** Makes the tables of the view that was drawn last: {@link #DIFFER} switches get others than before. */
    void computeTables() {
        Effect.Compute asked = Objects.requireNonNull(compute);
        if (computation != null) {
            computed = computation.apply(asked);
            return;
        }
        FabricView view = asked.view();
        if (rows.length == 0) {
            rows = new LftRow[view.switchCount()];
            Arrays.fill(rows, LftRow.noRoutes(view.nodeCount()));
            digests = new long[rows.length];
        }
        epochs++;
        byte[] entries = new byte[view.nodeCount()];
        entries[epochs % entries.length] = 1;
        for (int i = 0; i < DIFFER; i++) {
            int s = (int) (((long) DIFFER * epochs + i) * 7919 % rows.length);
            rows[s] = LftRow.of(entries);
            digests[s] = epochs;
        }
        tables = new LftSet(view.epoch(), entries.length, rows.clone());
    }

    /** The computation under way ends with the tables that were made. */
    void routed() {
        Routed known = computed;
        if (known != null) {
            compute = null;
            computed = null;
            step.accept(known, effects);
            settle();
            return;
        }
        LftSet made = Objects.requireNonNull(tables);
        compute = null;
        tables = null;
        CheckReport valid = new CheckReport(made.epoch(), List.of(), List.of(), List.of(), 0, UpperPairs.NONE, 0, 0, 0);
        step.accept(
                new Routed(now, made.epoch(), new RoutingResult.Complete(made), digests.clone(), valid, 1, 1), effects);
        settle();
    }

    private void settle() {
        long start = SettleBenchmark.processorNanos();
        step.settle(now, effects);
        step.nextDeadline();
        settleNanos = SettleBenchmark.processorNanos() - start;
        for (Effect effect : effects) {
            if (effect instanceof Effect.Push push) {
                pushes.add(new SwitchPush(push.session(), push.update()));
            } else if (effect instanceof Effect.Compute begun) {
                compute = begun;
            } else if (effect instanceof Effect.Persist batch) {
                persisted = batch.number();
            } else if (effect instanceof Effect.Defect defect) {
                throw new IllegalStateException(defect.note().text(), defect.cause());
            }
        }
        effects.clear();
    }
}
