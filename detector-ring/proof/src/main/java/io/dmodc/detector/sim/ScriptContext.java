package io.dmodc.detector.sim;

import io.dmodc.detector.Membership;
import java.util.Arrays;
import java.util.BitSet;

/** What a script acts on: whatever it does to the ring is first told to the tracker that judges the ring. */
final class ScriptContext {
    private final VirtualRing ring;
    private final KnowledgeTracker knowledge;
    private long lastAct;

    ScriptContext(VirtualRing ring, KnowledgeTracker knowledge) {
        this.ring = ring;
        this.knowledge = knowledge;
    }

    VirtualRing ring() {
        return ring;
    }

    /** Does something after a time from now. */
    void after(long nanos, Runnable act) {
        lastAct = Math.max(lastAct, ring.now() + nanos);
        ring.at(ring.now() + nanos, act);
    }

    /** When the last act is over. */
    long lastAct() {
        return lastAct;
    }

    void kill(int... nodes) {
        Arrays.stream(nodes).forEach(this::dies);
        ring.kill(nodes);
    }

    /** The ring kills the node itself. */
    void dies(int node) {
        knowledge.dies(ring.now(), node, ring.detector(node).ownIncarnation());
    }

    void restart(int node) {
        restart(node, ring.detector(node).ownIncarnation() + 1);
    }

    void restart(int node, int incarnation) {
        knowledge.returns(ring.now(), node, incarnation);
        knowledge.catchesUp(node);
        ring.restart(node, incarnation);
    }

    void pause(int node, long nanos) {
        knowledge.stops(node);
        ring.pause(node);
        after(nanos, () -> {
            knowledge.resumes(ring.now(), node);
            ring.resume(node);
        });
    }

    /** Nothing reaches the node for a time. */
    void deafen(int node, long nanos) {
        cut(node, nanos, new Cut(Cut.allBut(node, ring.nodeCount()), Cut.only(node), false));
    }

    /** Nothing the node sends arrives for a time. */
    void mute(int node, long nanos) {
        cut(node, nanos, new Cut(Cut.only(node), Cut.allBut(node, ring.nodeCount()), false));
    }

    void isolate(int node, long nanos) {
        deafen(node, nanos);
        mute(node, nanos);
    }

    private void cut(int node, long nanos, Cut cut) {
        knowledge.disturbs(node);
        ring.cut(cut);
        after(nanos, () -> {
            ring.mend(cut);
            knowledge.calms(ring.now(), node);
        });
    }

    /** Nothing passes from these nodes to those for a time: the network is split, one way. */
    void split(BitSet from, BitSet to, long nanos) {
        Cut split = new Cut(from, to, true);
        knowledge.splits(split);
        ring.cut(split);
        after(nanos, () -> {
            ring.mend(split);
            knowledge.heals(ring.now(), split);
        });
    }

    /** There is a new membership; who is late has not heard of it until it {@link #catchesUp}. */
    void redraw(int[] nodeOfSlot, long epoch, long spreadNanos, BitSet late) {
        Membership drawn = VirtualRing.membership(nodeOfSlot, epoch);
        ring.announce(drawn);
        for (int node = 0; node < ring.nodeCount(); node++) {
            if (late.get(node)) {
                knowledge.falls(node);
            } else {
                ring.installAt(ring.now() + node * spreadNanos / ring.nodeCount(), node);
            }
        }
    }

    /** All that run learn the newest membership now. */
    void catchesUp() {
        for (int node = 0; node < ring.nodeCount(); node++) {
            knowledge.catchesUp(node);
            ring.installAt(ring.now(), node);
        }
    }

    void revoke(int node, long fabricEpoch) {
        knowledge.revokes(ring.now(), node, fabricEpoch);
        ring.revoke(node, 1, fabricEpoch);
    }
}
