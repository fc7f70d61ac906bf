package io.dmodc.simulator;

import io.dmodc.manager.core.Act;
import io.dmodc.manager.core.Act.Verb;
import io.dmodc.manager.core.Effect;
import io.dmodc.manager.core.FabricEvent.Persisted;
import io.dmodc.manager.core.Forgettable;
import io.dmodc.manager.state.LeaderEpochs;
import io.dmodc.manager.state.StateRecord;
import io.dmodc.manager.state.StateRecord.Intent;
import io.dmodc.manager.state.StateRecord.LeaderEpoch;
import io.dmodc.manager.state.StateRecord.NodeIndex;
import io.dmodc.manager.state.StateRecord.Removed;
import io.dmodc.manager.state.StateRecord.SwitchLevel;
import io.dmodc.manager.state.StateRecord.SwitchPlane;
import io.dmodc.manager.state.StoredState;
import io.dmodc.topology.Guid;
import io.dmodc.topology.PortPlace;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A manager's store: records it is told to keep survive a crash a moment later, all that wait at once and in order, unless
 * the process dies before. Like the real one it merges what waits while it is full, tries again, and forgets an append
 * that was torn.
 */
final class SimulatedDisk {
    private static final long RETRY_NANOS = 10 * Simulation.SECOND;

    private final Simulation site;
    private final StoredState stored;

    /** The last record of each key that is not durable, in the order they came. */
    private final Map<StateRecord.Key, StateRecord> waiting = new LinkedHashMap<>();

    /** How many writes are over, and which of them were lost with their process. */
    private int written;

    private final BitSet lost = new BitSet();

    /** What this one was copied from, and how many writes had gone there by then. */
    private final @Nullable SimulatedDisk origin;

    /** Of the manager that it is the disk of. */
    final int managerNumber;

    private final int writtenAtCopy;

    private long waitingNumber;
    private long askedLeaderEpoch;
    private int life;
    private boolean writing;
    private boolean failing;
    long fullUntil;
    long slowUntil;

    /** The next append is torn: the process dies and nothing of it counts. */
    boolean tearNext;

    SimulatedDisk(Simulation site) {
        this(site, new StoredState(), null);
    }

    private SimulatedDisk(Simulation site, StoredState stored, @Nullable SimulatedDisk origin) {
        this.site = site;
        this.stored = stored;
        this.origin = origin;
        managerNumber = origin == null ? 0 : origin.managerNumber + 1;
        writtenAtCopy = origin == null ? 0 : origin.written;
    }

    /** What a backup or a second machine would have. */
    SimulatedDisk copy() {
        return new SimulatedDisk(site, StoredState.of(stored.records()), this);
    }

    /** The write by which all that was asked for until now is on the disk, unless it is lost. */
    int lastWrite() {
        return waiting.isEmpty() ? written : written + 1;
    }

    /** True if this disk, or what it was copied from by then, got that write of a disk. */
    boolean has(SimulatedDisk disk, int write) {
        if (this == disk) {
            return has(write, written);
        }
        SimulatedDisk from = origin;
        return from != null && (from == disk ? from.has(write, writtenAtCopy) : from.has(disk, write));
    }

    private boolean has(int write, int until) {
        return write <= until && !lost.get(write);
    }

    boolean full() {
        return site.now() < fullUntil;
    }

    /** What a process that starts now finds, with the leader epoch raised first. */
    StoredState nextTerm() {
        stored.apply(new LeaderEpoch(LeaderEpochs.above(stored.leaderEpoch(), managerNumber)));
        return StoredState.of(stored.records());
    }

    /** The highest leader epoch the running process asked to keep, 0 when it asked for none. */
    long askedLeaderEpoch() {
        return askedLeaderEpoch;
    }

    /** Durable index of a host port, or −1. */
    int nodeIndex(long portGuid) {
        return stored.find(new StateRecord.Key(StateRecord.Kind.NODE_INDEX, portGuid, 0, "")) instanceof NodeIndex node
                ? node.index()
                : -1;
    }

    /** Durable node index that a start hands to this host port by somebody's word, or −1. */
    int handedIndex(long portGuid) {
        return stored.all(Intent.class).stream()
                .filter(intent ->
                        intent.act().equals("replace") && intent.value().equals(Guid.format(portGuid)))
                .mapToInt(intent -> nodeIndex(intent.guid()))
                .findFirst()
                .orElse(-1);
    }

    /** Durable: somebody had this forgotten, and a start does it. */
    boolean forgets(Forgettable what) {
        return stored.all(Intent.class).stream()
                .anyMatch(intent -> intent.act().equals("forget")
                        && new Act(Verb.FORGET, List.of(new PortPlace(intent.guid(), intent.port())), intent.value())
                                .forgotten()
                                .contains(what));
    }

    /** Durable level of a switch, or −1. */
    int level(long guid) {
        return stored.find(new StateRecord.Key(StateRecord.Kind.LEVEL, guid, 0, "")) instanceof SwitchLevel it
                ? it.level()
                : -1;
    }

    /** Durable plane number of a switch, or −1. */
    int plane(long guid) {
        return stored.find(new StateRecord.Key(StateRecord.Kind.PLANE, guid, 0, "")) instanceof SwitchPlane it
                ? it.number()
                : -1;
    }

    boolean idle() {
        return waiting.isEmpty();
    }

    void keep(SimulatedManager owner, Effect.Persist batch) {
        for (StateRecord record : batch.records()) {
            StateRecord.Key key = record instanceof Removed removed ? removed.key() : record.key();
            waiting.remove(key);
            waiting.put(key, record);
            if (record instanceof LeaderEpoch leader) {
                askedLeaderEpoch = Math.max(askedLeaderEpoch, leader.epoch());
            }
        }
        waitingNumber = batch.number();
        if (!writing) {
            writing = true;
            schedule(owner, 1_000_000 + site.network.delayNanos() + Math.max(0, slowUntil - site.now()));
        }
    }

    private void schedule(SimulatedManager owner, long nanos) {
        int born = life;
        site.after(nanos, () -> {
            if (born == life) {
                write(owner);
            }
        });
    }

    private void write(SimulatedManager owner) {
        if (full()) {
            report(owner, "no space left on device");
            schedule(owner, RETRY_NANOS);
            return;
        }
        if (tearNext) {
            tearNext = false;
            owner.crash("power lost while writing");
            return;
        }
        waiting.values().forEach(stored::apply);
        waiting.clear();
        writing = false;
        written++;
        report(owner, "");
        owner.tell(new Persisted(owner.clock(), waitingNumber));
    }

    private void report(SimulatedManager owner, String failure) {
        boolean failed = !failure.isEmpty();
        if (failed != failing) {
            failing = failed;
            owner.storeReported(failure);
        }
    }

    /** The process died: what it had not written is lost. */
    void crashed() {
        life++;
        if (!waiting.isEmpty()) {
            lost.set(++written);
        }
        waiting.clear();
        askedLeaderEpoch = 0;
        writing = false;
        failing = false;
    }
}
