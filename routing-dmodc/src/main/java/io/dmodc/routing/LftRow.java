package io.dmodc.routing;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The forwarding table of one switch: destination index → output port, kept as what it is, runs of {@link PortPattern}s.
 *
 * <p><b>Layout.</b> One reference for every {@value RowSpan#COLUMNS} columns, to a span of runs. Rows share spans with
 * each other and with those of earlier epochs, so a row that differs in one leaf costs one span and a few hundred bytes
 * of references, whatever its length.
 *
 * <p>Immutable, safe to share between threads.
 */
public final class LftRow {
    /** Receives successive runs of a row. */
    @FunctionalInterface
    public interface RunVisitor {
        /** Columns {@code from .. to − 1} follow the pattern. */
        void run(int from, int to, PortPattern pattern);
    }

    /** Columns that rows share, or do not, as one. */
    public static final int SPAN_COLUMNS = RowSpan.COLUMNS;

    private final int entryCount;
    private final RowSpan[] spans;

    /** 0 until it is asked for. */
    private int partsHash;

    /** @param spans taken over, one for every {@value RowSpan#COLUMNS} columns */
    LftRow(int entryCount, RowSpan[] spans) {
        this.entryCount = entryCount;
        this.spans = spans;
    }

    /** A row without any route. */
    public static LftRow noRoutes(int entryCount) {
        RowSpan[] spans = new RowSpan[spanCount(entryCount)];
        Arrays.fill(spans, PortPattern.NO_ROUTE.wholeSpan());
        return new LftRow(entryCount, spans);
    }

    /** A row of any entries; copied. */
    public static LftRow of(byte[] entries) {
        RowSpan[] spans = new RowSpan[spanCount(entries.length)];
        for (int k = 0; k < spans.length; k++) {
            byte[] ports = new byte[RowSpan.COLUMNS];
            int from = k * RowSpan.COLUMNS;
            int count = Math.min(entries.length - from, ports.length);
            System.arraycopy(entries, from, ports, 0, count);
            spans[k] = new PortPattern(1, 0, ports).wholeSpan();
        }
        return new LftRow(entries.length, spans);
    }

    private static int spanCount(int entryCount) {
        return (entryCount + RowSpan.COLUMNS - 1) / RowSpan.COLUMNS;
    }

    public int entryCount() {
        return entryCount;
    }

    /** Output port for destination {@code d}, unsigned. */
    public int port(int d) {
        RowSpan span = spans[d / RowSpan.COLUMNS];
        return span.port(span.runAt(d % RowSpan.COLUMNS), d);
    }

    /** Writes all entries to the start of {@code into}. */
    public void copyTo(byte[] into) {
        copyTo(0, entryCount, into, 0);
    }

    /** Writes the entries of columns {@code from .. to − 1} to {@code into}, beginning at {@code at}. */
    public void copyTo(int from, int to, byte[] into, int at) {
        forEachRun(from, to, (start, end, pattern) -> pattern.copyTo(start, end, into, at + start - from));
    }

    /** True if these are the entries from a column on, all of one span. */
    boolean has(int column, byte[] entries, int at, int count) {
        RowSpan span = spans[column / RowSpan.COLUMNS];
        int base = column - column % RowSpan.COLUMNS;
        int done = 0;
        for (int i = span.runAt(column - base); done < count; i++) {
            int end = Math.min(count, base + span.ends[i] - column);
            if (!span.pattern(i).has(column + done, entries, at + done, end - done)) {
                return false;
            }
            done = end;
        }
        return true;
    }

    /** All entries, in an array of their own. */
    public byte[] toBytes() {
        byte[] entries = new byte[entryCount];
        copyTo(entries);
        return entries;
    }

    /**
     * Visits the runs of columns {@code from .. to − 1} in order; the first and the last are cut to fit, and neighbours
     * of equal patterns are joined.
     */
    public void forEachRun(int from, int to, RunVisitor visitor) {
        int start = from;
        int at = from;
        PortPattern pending = PortPattern.NO_ROUTE;
        while (at < to) {
            RowSpan span = spans[at / RowSpan.COLUMNS];
            int base = at - at % RowSpan.COLUMNS;
            for (int i = span.runAt(at - base); i < span.ends.length && at < to; i++) {
                PortPattern pattern = span.pattern(i);
                if (!pattern.equals(pending)) {
                    if (start < at) {
                        visitor.run(start, at, pending);
                    }
                    start = at;
                    pending = pattern;
                }
                at = Math.min(base + span.ends[i], to);
            }
        }
        if (start < to) {
            visitor.run(start, to, pending);
        }
    }

    /** True if all entries are the same, however they are written. */
    public boolean sameEntries(LftRow that) {
        return entryCount == that.entryCount && LftDelta.changedBlocks(this, that).length == 0;
    }

    /** True if made of the very same parts: then the entries are the same, too. */
    @SuppressWarnings("ReferenceEquality") // sharing is what is asked for
    public boolean sameParts(LftRow that) {
        if (this == that) {
            return true;
        }
        if (entryCount != that.entryCount) {
            return false;
        }
        for (int k = 0; k < spans.length; k++) {
            if (!spans[k].sameAs(that.spans[k])) {
                return false;
            }
        }
        return true;
    }

    /**
     * Adds the spans, as bits, that are not the very same part in a row as long.
     *
     * @return true if some of them is not made of the same parts, either
     */
    @SuppressWarnings("ReferenceEquality") // sharing is what is asked for
    public boolean addOtherSpans(LftRow that, long[] others) {
        boolean differs = false;
        for (int k = 0; this != that && k < spans.length; k++) {
            if (spans[k] != that.spans[k]) {
                others[k >> 6] |= 1L << k;
                differs = differs || !spans[k].sameAs(that.spans[k]);
            }
        }
        return differs;
    }

    /** The spans, as bits, that are not the very same part in a row as long. */
    public long[] otherSpans(LftRow that) {
        long[] others = new long[(spans.length + 63) / 64];
        addOtherSpans(that, others);
        return others;
    }

    /** True if columns {@code k * SPAN_COLUMNS} and following are the very same part: then the entries are the same. */
    public boolean sharesSpan(int k, LftRow that) {
        return spans[k] == that.spans[k];
    }

    /** Entries that the columns {@code k * SPAN_COLUMNS} and following can have, as a set of 256 bits; read only. */
    public long[] entrySet(int k) {
        return spans[k].entrySet();
    }

    /** Equal for rows of {@link #sameParts}. */
    public int partsHash() {
        int hash = partsHash;
        if (hash == 0) {
            hash = 1;
            for (int k = 0; k < spans.length; k++) {
                hash += partHash(k, spans[k]);
            }
            partsHash = hash;
        }
        return hash;
    }

    private static int partHash(int k, RowSpan span) {
        return (2 * k + 1) * span.partHash();
    }

    /**
     * The same; if another row was asked before, it costs what differs from that.
     *
     * @param others the {@linkplain #otherSpans spans} that differ from that row
     */
    public int partsHash(LftRow that, long[] others) {
        int hash = that.partsHash;
        if (hash != 0) {
            for (int i = 0; i < others.length; i++) {
                for (long rest = others[i]; rest != 0; rest &= rest - 1) {
                    int k = 64 * i + Long.numberOfTrailingZeros(rest);
                    hash += partHash(k, spans[k]) - partHash(k, that.spans[k]);
                }
            }
            partsHash = hash;
        }
        return partsHash();
    }

    /**
     * The row of a switch that reaches some of the neighbours of this row's: the same candidates, by other ports.
     *
     * @param ports of this row
     * @param others at some of the places of {@code ports}
     * @return null if some span says nothing of candidates, or a run that has some would have none
     */
    public @Nullable LftRow with(CandidatePorts ports, CandidatePorts others) {
        RowSpan[] read = new RowSpan[spans.length];
        for (int k = 0; k < spans.length; k++) {
            RowSpan span = spans[k].with(ports, others);
            if (span == null) {
                return null;
            }
            read[k] = span;
        }
        return new LftRow(entryCount, read);
    }

    /**
     * Brings a row that was made {@link #with} other ports up to date with this one.
     *
     * @param last of this row's length, and so made
     * @param changed the spans of this one that are not as they were, as bits
     * @return {@code last} itself if nothing differs from it; null as {@link #with(CandidatePorts, CandidatePorts)}
     */
    public @Nullable LftRow with(CandidatePorts ports, CandidatePorts others, LftRow last, long[] changed) {
        RowSpan[] read = null;
        for (int i = 0; i < changed.length; i++) {
            for (long rest = changed[i]; rest != 0; rest &= rest - 1) {
                int k = 64 * i + Long.numberOfTrailingZeros(rest);
                RowSpan span = spans[k].with(ports, others);
                if (span == null) {
                    return null;
                }
                if (!span.readsAs(last.spans[k])) {
                    read = read == null ? last.spans.clone() : read;
                    read[k] = span;
                }
            }
        }
        return read == null ? last : new LftRow(entryCount, read);
    }

    /** This row with so many columns: those it did not have are without a route. */
    public LftRow fittedTo(int newEntryCount) {
        if (newEntryCount == entryCount) {
            return this;
        }
        if (newEntryCount > entryCount) {
            return grownTo(newEntryCount);
        }
        LftRowBuilder builder = new LftRowBuilder();
        builder.begin(noRoutes(newEntryCount));
        builder.put(0, newEntryCount, this);
        return builder.build();
    }

    /** Shares all spans but the last one, if that is not full. */
    private LftRow grownTo(int newEntryCount) {
        RowSpan[] grown = Arrays.copyOf(spans, spanCount(newEntryCount));
        Arrays.fill(grown, spans.length, grown.length, PortPattern.NO_ROUTE.wholeSpan());
        int used = entryCount % RowSpan.COLUMNS;
        if (used > 0) {
            grown[spans.length - 1] = spans[spans.length - 1].endedAt(used);
        }
        return new LftRow(newEntryCount, grown);
    }

    /** These rows with so many columns, those of the same entries once. */
    public static LftRow[] distinct(List<LftRow> rows, int entryCount) {
        if (rows.size() == 1) {
            return new LftRow[] {rows.get(0).fittedTo(entryCount)};
        }
        List<LftRow> distinct = new ArrayList<>(rows.size());
        for (LftRow row : rows) {
            LftRow fitted = row.fittedTo(entryCount);
            if (distinct.stream().noneMatch(fitted::sameEntries)) {
                distinct.add(fitted);
            }
        }
        return distinct.toArray(LftRow[]::new);
    }

    int spanCount() {
        return spans.length;
    }

    RowSpan span(int k) {
        return spans[k];
    }

    RowSpan[] copyOfSpans() {
        return spans.clone();
    }
}
