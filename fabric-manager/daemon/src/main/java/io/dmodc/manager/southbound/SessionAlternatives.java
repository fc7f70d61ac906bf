package io.dmodc.manager.southbound;

import io.dmodc.manager.core.Effect.TellAlternatives;
import io.dmodc.routing.LftRow;
import io.dmodc.routing.PortPattern;
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
    private static final byte[] NONE = {};

    private final boolean wanted;
    private final long guid;

    /** Whoever says less than the agent obeys is refused. */
    private long leaderEpoch;

    /** Digest of what it holds. */
    private long held;

    /** What it was told last in this session. */
    private @Nullable Source told;

    private @Nullable TellAlternatives seen;

    /** What was told, or what it can be read from again. */
    private sealed interface Source {
        Alternatives read();

        boolean isSameAs(@Nullable Source that);
    }

    /** Alternatives of entries: rows are shared, and so small to remember. */
    private record RowSource(LftRow row, BitSet without, BitSet apart, long routesDigest) implements Source {
        @Override
        public boolean isSameAs(@Nullable Source that) {
            return that instanceof RowSource other
                    && row == other.row
                    && routesDigest == other.routesDigest
                    && without.equals(other.without)
                    && apart.equals(other.apart);
        }

        /** Equal sets of ports are mostly those of one pattern. */
        @Override
        public Alternatives read() {
            Alternatives.Builder alternatives = new Alternatives.Builder(routesDigest);
            Map<PortPattern, byte[]> sets = new HashMap<>();
            row.forEachRun(0, row.entryCount(), (from, to, pattern) -> {
                byte[] ports = sets.computeIfAbsent(pattern, this::ports);
                int at = from;
                for (int d = apart.nextSetBit(from); d >= 0 && d < to; d = apart.nextSetBit(at)) {
                    if (at < d) {
                        alternatives.run(d, ports);
                    }
                    at = d + 1;
                    alternatives.run(at, NONE);
                }
                if (at < to) {
                    alternatives.run(to, ports);
                }
            });
            return alternatives.build();
        }

        private byte[] ports(PortPattern pattern) {
            if (!pattern.interchangeable()) {
                return NONE;
            }
            BitSet ports = new BitSet();
            for (byte port : pattern.ports()) {
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

    /** Spares of a grid's switch: what they were read from is the tables of a whole fabric, so they are remembered themselves. */
    private record SparesSource(Alternatives read) implements Source {
        static SparesSource of(TurnTableSet tables, int s, long routesDigest) {
            Alternatives.Builder alternatives = new Alternatives.Builder(routesDigest);
            byte[][] spares = tables.spares(s);
            for (int d = 0; d < spares.length; d++) {
                alternatives.run(d + 1, spares[d]);
            }
            return new SparesSource(alternatives.build());
        }

        @Override
        public boolean isSameAs(@Nullable Source that) {
            return that instanceof SparesSource other
                    && read.digest() == other.read.digest()
                    && read.routesDigest() == other.read.routesDigest();
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
        Source source = source(newest, s);
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
            now = new Alternatives.Builder(now.routesDigest())
                    .run(now.entryCount(), new byte[0])
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

    /** Spares are told whatever the leaves of a grid forward by: they lead to no circle, and a root needs them just when its leaves change. */
    private static Source source(TellAlternatives newest, int s) {
        long routesDigest = newest.digests()[s];
        return newest.tables() instanceof TurnTableSet turns
                ? SparesSource.of(turns, s, routesDigest)
                : new RowSource(
                        newest.tables().row(s),
                        portsTo(newest.unsure(), s, newest.view()),
                        newest.apart(),
                        routesDigest);
    }

    private static BitSet portsTo(BitSet switches, int from, FabricView view) {
        BitSet ports = new BitSet();
        for (int g = view.groupStart(from); g < view.groupEnd(from); g++) {
            if (switches.get(view.groupRemote(g))) {
                for (int i = 0; i < view.groupSize(g); i++) {
                    ports.set(view.groupPort(g, i));
                }
            }
        }
        return ports;
    }
}
