package io.dmodc.detector.sim;

import java.util.Arrays;

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
        int incarnation = ring.detector(node).ownIncarnation() + 1;
        knowledge.returns(ring.now(), node, incarnation);
        ring.restart(node, incarnation);
    }

    void pause(int node, long nanos) {
        knowledge.stops(node);
        ring.pause(node);
        after(nanos, () -> ring.resume(node));
    }

    /** Lets nothing pass between the groups for a time; a node's group is a number. */
    void cutOff(int[] groupOfNode, long nanos) {
        for (int node = 0; node < groupOfNode.length; node++) {
            if (groupOfNode[node] != 0) {
                knowledge.cutsOff(node);
            }
        }
        ring.split(groupOfNode);
        after(nanos, ring::heal);
    }

    void revoke(int node, long fabricEpoch) {
        knowledge.revokes(ring.now(), node, fabricEpoch);
        ring.revoke(node, 1, fabricEpoch);
    }
}
