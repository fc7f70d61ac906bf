package io.dmodc.southbound;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import io.dmodc.southbound.proto.PortSetTable;
import io.dmodc.southbound.proto.TableRefusal.Reason;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** Alternatives as tables of port sets, and back. All methods are pure and may be called from any thread. */
public final class AlternativesCodec {
    private static final int AS_PRESENT = 0;
    private static final int NO_PORTS = 1;
    private static final int FIRST_SET = 2;

    private AlternativesCodec() {}

    /** Returns the table that tells alternatives to who holds none. */
    public static PortSetTable whole(Alternatives alternatives) {
        return new Writer(Alternatives.NONE, alternatives)
                .table()
                .setComplete(true)
                .build();
    }

    /** Returns the table that tells alternatives to who holds {@code base}. */
    public static PortSetTable difference(Alternatives base, Alternatives alternatives) {
        return new Writer(base, alternatives)
                .table()
                .setBaseDigest(base.digest())
                .build();
    }

    private static final class Writer {
        private final Alternatives base;
        private final Alternatives now;
        private final PortSetTable.Builder table = PortSetTable.newBuilder();
        private final Map<ByteString, Integer> sets = new HashMap<>();

        Writer(Alternatives base, Alternatives now) {
            this.base = base;
            this.now = now;
        }

        PortSetTable.Builder table() {
            int count = now.entryCount();
            int from = 0;
            int source = -1;
            for (int at = 0; at < count; at = Math.min(now.endOf(at, count), base.endOf(at, count))) {
                int next = source(at);
                if (next != source) {
                    run(at - from, source);
                    from = at;
                    source = next;
                }
            }
            run(count - from, source);
            return table.setRoutesDigest(now.routesDigest())
                    .setEntryCount(count)
                    .setResultDigest(now.digest());
        }

        private int source(int index) {
            byte[] ports = now.at(index);
            if (ports.length == 0) {
                return NO_PORTS;
            }
            return Arrays.equals(ports, base.at(index)) ? AS_PRESENT : FIRST_SET + number(ports);
        }

        private int number(byte[] ports) {
            ByteString set = UnsafeByteOperations.unsafeWrap(ports);
            Integer known = sets.get(set);
            if (known != null) {
                return known;
            }
            table.addPorts(set);
            sets.put(set, sets.size());
            return sets.size() - 1;
        }

        private void run(int destinations, int source) {
            if (destinations > 0) {
                table.addRun(destinations).addRun(source);
            }
        }
    }

    /**
     * Applies a table to the present alternatives.
     *
     * @return those that result, their digest equal to the result digest
     * @throws TableRefusedException when it is malformed, stands on others or has another result
     */
    public static Alternatives apply(PortSetTable table, Alternatives present) {
        int count = table.getEntryCount();
        if (count < 0 || count > SouthboundProtocol.MAX_ENTRIES) {
            throw malformed(Integer.toUnsignedString(count) + " entries, more than " + SouthboundProtocol.MAX_ENTRIES);
        }
        if (!table.getComplete() && table.getBaseDigest() != present.digest()) {
            throw new TableRefusedException(
                    Reason.BASE_MISMATCH,
                    "alternatives stand on those of digest " + hex(table.getBaseDigest()) + ", present are those of "
                            + hex(present.digest()));
        }
        Alternatives result = read(table, table.getComplete() ? Alternatives.NONE : present);
        if (result.digest() != table.getResultDigest()) {
            throw new TableRefusedException(
                    Reason.DIGEST_MISMATCH,
                    "alternatives have digest " + hex(result.digest()) + ", meant was " + hex(table.getResultDigest()));
        }
        return result;
    }

    private static Alternatives read(PortSetTable table, Alternatives present) {
        byte[][] sets = new byte[table.getPortsCount()][];
        Arrays.setAll(sets, k -> set(k, table.getPorts(k)));
        Alternatives.Builder result = new Alternatives.Builder(table.getRoutesDigest());
        if (table.getRunCount() % 2 != 0) {
            throw malformed(table.getRunCount() + " numbers of runs; expected pairs");
        }
        int at = 0;
        for (int i = 0; i < table.getRunCount(); i += 2) {
            int length = table.getRun(i);
            int source = table.getRun(i + 1);
            if (length < 1 || length > table.getEntryCount() - at) {
                throw malformed("a run of " + Integer.toUnsignedString(length) + " from destination " + at + " of "
                        + table.getEntryCount() + " on");
            }
            if (source < 0 || source >= FIRST_SET + sets.length) {
                throw malformed("a run of set " + (Integer.toUnsignedLong(source) - FIRST_SET) + " of " + sets.length);
            }
            int end = at + length;
            if (source == AS_PRESENT) {
                keep(present, at, end, result);
            } else {
                result.run(end, source == NO_PORTS ? new byte[0] : sets[source - FIRST_SET]);
            }
            at = end;
        }
        if (at != table.getEntryCount()) {
            throw malformed("runs of " + at + " destinations for " + table.getEntryCount());
        }
        return result.build();
    }

    private static void keep(Alternatives present, int from, int end, Alternatives.Builder result) {
        for (int at = from; at < end; ) {
            int next = Math.min(present.endOf(at, end), end);
            result.run(next, present.at(at));
            at = next;
        }
    }

    private static byte[] set(int number, ByteString ports) {
        byte[] set = ports.toByteArray();
        boolean ascending = true;
        for (int i = 0; i < set.length; i++) {
            int port = Byte.toUnsignedInt(set[i]);
            ascending &= port >= 1
                    && port <= SouthboundProtocol.MAX_PORTS
                    && (i == 0 || port > Byte.toUnsignedInt(set[i - 1]));
        }
        if (set.length < 2 || !ascending) {
            throw malformed(
                    "set " + number + " is not two or more ports, 1.." + SouthboundProtocol.MAX_PORTS + ", ascending");
        }
        return set;
    }

    private static TableRefusedException malformed(String text) {
        return new TableRefusedException(Reason.MALFORMED, "alternatives: " + text);
    }

    private static String hex(long digest) {
        return String.format("0x%016x", digest);
    }
}
