package io.dmodc.manager.recording;

import io.dmodc.manager.core.FabricEvent.Routed;
import io.dmodc.manager.recording.proto.Routed.Kind;
import io.dmodc.routing.RoutingResult;

/** What a recording keeps of a computation: what kind of result came, and one digest over all its tables. */
final class Tables {
    private static final long START = 0x9e3779b97f4a7c15L;
    private static final long FACTOR = 0xbf58476d1ce4e5b9L;

    private Tables() {}

    static Kind kind(Routed routed) {
        if (routed.result() instanceof RoutingResult.Complete) {
            return Kind.COMPLETE;
        }
        return routed.result() instanceof RoutingResult.Partial ? Kind.PARTIAL : Kind.UNROUTABLE;
    }

    /** @param digests of the tables, in switch order */
    static long digest(long[] digests) {
        long digest = digests.length;
        for (long each : digests) {
            digest = Long.rotateLeft((digest ^ each) * FACTOR + START, 29);
        }
        return digest;
    }
}
