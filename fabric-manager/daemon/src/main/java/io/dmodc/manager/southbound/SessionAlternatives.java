package io.dmodc.manager.southbound;

import io.dmodc.manager.core.Effect.TellAlternatives;
import io.dmodc.routing.LftRow;
import io.dmodc.routing.PortPattern;
import io.dmodc.routing.Tables;
import io.dmodc.routing.TurnTableSet;
import io.dmodc.southbound.Alternatives;
import io.dmodc.southbound.AlternativesCodec;
import io.dmodc.southbound.SouthboundProtocol;
import io.dmodc.southbound.TableCodec;
import io.dmodc.southbound.TableVersion;
import io.dmodc.southbound.proto.Hello;
import io.dmodc.southbound.proto.ManagerFrame;
import io.dmodc.southbound.proto.PortSetTable;
import io.dmodc.topology.FabricView;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which alternatives one agent holds, and so which it is told next. They are read from the patterns of its switch's row, so what it
 * was told last is remembered as the row it came from, which is shared. O(runs of the row) for a row that changed. Not thread-safe.
 */
public final class SessionAlternatives {
    private final boolean wanted;
    private final long guid;

    /** Whoever says less than the agent obeys is refused. */
    private long leaderEpoch;

    /** Digest of what it holds. */
    private long held;

    /** What it was told last in this session. */
    private @Nullable Source told;

    private @Nullable TellAlternatives seen;

    /** What alternatives are read from. */
    private record Source(Tables tables, int s, BitSet without, long routesDigest) {
        /** Spares change without the row, so those of other tables are read again. */
        boolean isSameAs(@Nullable Source that) {
            if (that == null || routesDigest != that.routesDigest || !without.equals(that.without)) {
                return false;
            }
            return tables instanceof TurnTableSet ? tables == that.tables : tables.row(s) == that.tables.row(that.s);
        }

        int destinationCount() {
            return tables instanceof TurnTableSet turns ? turns.nodeCount() : tables.entryCount();
        }

        Alternatives read() {
            return tables instanceof TurnTableSet turns ? readSpares(turns) : readRow(tables.row(s));
        }

        private Alternatives readSpares(TurnTableSet turns) {
            Alternatives.Builder alternatives = new Alternatives.Builder(routesDigest);
            byte[][] spares = turns.spares(s);
            for (int d = 0; d < spares.length; d++) {
                alternatives.run(d + 1, ascending(spares[d]));
            }
            return alternatives.build();
        }

        /** Equal sets of ports are mostly those of one pattern. */
        private Alternatives readRow(LftRow row) {
            Alternatives.Builder alternatives = new Alternatives.Builder(routesDigest);
            Map<PortPattern, byte[]> sets = new HashMap<>();
            row.forEachRun(
                    0,
                    row.entryCount(),
                    (from, to, pattern) -> alternatives.run(to, sets.computeIfAbsent(pattern, this::ports)));
            return alternatives.build();
        }

        private byte[] ports(PortPattern pattern) {
            return pattern.interchangeable() ? ascending(pattern.ports()) : new byte[0];
        }

        private byte[] ascending(byte[] some) {
            BitSet ports = new BitSet();
            for (byte port : some) {
                ports.set(Byte.toUnsignedInt(port));
            }
            ports.andNot(without);
            byte[] ascending = new byte[ports.cardinality()];
            for (int i = 0, port = -1; i < ascending.length; i++) {
                port = ports.nextSetBit(port + 1);
                ascending[i] = (byte) port;
            }
            return ascending;
        }
    }

    /** @param hello says whether the agent wants to be told, and what it holds from sessions before */
    public SessionAlternatives(Hello hello) {
        wanted = hello.getAlternatives();
        guid = hello.getSwitchGuid();
        held = hello.getAlternativesDigest();
    }

    /** The agent was told of this leader epoch: by the Welcome, or by a push since. */
    public void leads(long epoch) {
        leaderEpoch = epoch;
    }

    /** Returns what the agent is told after these; null if it holds them, or wants none. */
    @SuppressWarnings("ReferenceEquality") // whether they were looked at
    public @Nullable ManagerFrame next(TellAlternatives newest) {
        int s = newest.view().switchOf(guid);
        if (!wanted || newest == seen || s < 0 || !newest.view().alive(s)) {
            return null;
        }
        seen = newest;
        Source source = new Source(newest.tables(), s, without(newest, s), newest.digests()[s]);
        if (source.isSameAs(told)) {
            return null;
        }
        Alternatives now = source.read();
        PortSetTable table =
                told == null ? AlternativesCodec.whole(now) : AlternativesCodec.difference(told.read(), now);
        told = source;
        if (now.digest() == held) {
            return null;
        }
        if (table.getSerializedSize() > SouthboundProtocol.MAX_ALTERNATIVES_BYTES) {
            // Sets without number: a fabric in pieces. Whoever has none waits for the manager's routes.
            now = new Alternatives.Builder(source.routesDigest)
                    .run(source.destinationCount(), new byte[0])
                    .build();
            table = AlternativesCodec.whole(now);
            told = null;
        }
        held = now.digest();
        TableVersion version = new TableVersion(leaderEpoch, newest.tables().epoch());
        return ManagerFrame.newBuilder()
                .setTablePush(TableCodec.push(version, table))
                .build();
    }

    /** Whatever the leaves of a grid forward by, spares lead to no circle, and to leave them out would leave a root none just when it needs one. */
    private static BitSet without(TellAlternatives newest, int s) {
        return newest.tables() instanceof TurnTableSet ? new BitSet() : portsTo(newest.unsure(), s, newest.view());
    }

    private static BitSet portsTo(BitSet switches, int from, FabricView view) {
        BitSet ports = new BitSet();
        for (int g = view.groupStart(from); g < view.groupStart(from + 1); g++) {
            if (switches.get(view.groupRemote(g))) {
                for (int i = 0; i < view.groupSize(g); i++) {
                    ports.set(view.groupPort(g, i));
                }
            }
        }
        return ports;
    }
}
