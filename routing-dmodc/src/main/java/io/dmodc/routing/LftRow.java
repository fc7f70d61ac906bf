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
 * of references, whatever its length. Rows that differ in few spans share the references, too: those of the leaves of a
 * pod are one list, which each reads by its own ports, with the spans of its own hosts in place of a few.
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

    /** Receives successive runs of a row, and the ports that each has for entries. */
    @FunctionalInterface
    public interface PortsVisitor {
        /** Columns {@code from .. to − 1} have the first {@code count} ports, unsigned, in turn; read only, and used again. */
        void run(int from, int to, byte[] ports, int count);
    }

    /** Columns that rows share, or do not, as one. */
    public static final int SPAN_COLUMNS = RowSpan.COLUMNS;

    /** A row has a list of its own where it has more of its own spans than one of so many. */
    private static final int OWN_SHARE = 4;

    private static final int[] NOWHERE = {};
    private static final RowSpan[] NO_SPANS = {};

    private final int entryCount;

    /** Of all columns; perhaps those of other rows, too. */
    private final RowSpan[] spans;

    /** By which these are read where they have candidates of another switch's; null where they are read as they are. */
    private final @Nullable CandidatePorts by;

    /** Places, ascending, where this row has {@link #own} spans instead. */
    private final int[] ownAt;

    private final RowSpan[] own;

    /** 0 until it is asked for. */
    private int partsHash;

    /** @param spans taken over, one for every {@value RowSpan#COLUMNS} columns */
    LftRow(int entryCount, RowSpan[] spans) {
        this(entryCount, spans, null, NOWHERE, NO_SPANS);
    }

    private LftRow(int entryCount, RowSpan[] spans, @Nullable CandidatePorts by, int[] ownAt, RowSpan[] own) {
        this.entryCount = entryCount;
        this.spans = spans;
        this.by = by;
        this.ownAt = ownAt;
        this.own = own;
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
        RowSpan span = span(d / RowSpan.COLUMNS);
        return span.port(span.runAt(d % RowSpan.COLUMNS), d);
    }

    /** Writes all entries to the start of {@code into}. */
    public void copyTo(byte[] into) {
        copyTo(0, entryCount, into, 0);
    }

    /** Writes the entries of columns {@code from .. to − 1} to {@code into}, beginning at {@code at}. */
    public void copyTo(int from, int to, byte[] into, int at) {
        for (int next = from; next < to; ) {
            RowSpan span = span(next / RowSpan.COLUMNS);
            int base = next - next % RowSpan.COLUMNS;
            for (int i = span.runAt(next - base); i < span.ends.length && next < to; i++) {
                int end = span.ends.length > 1 ? Math.min(base + span.ends[i], to) : endOfLike(span, base, to);
                span.copyTo(i, next, end, into, at + next - from);
                next = end;
            }
        }
    }

    /** True if the rows differ in their own spans alone. */
    boolean sharesList(LftRow that) {
        return spans == that.spans && by == that.by && entryCount == that.entryCount;
    }

    /**
     * Writes the entries that are not as in another row over those of that row.
     *
     * @param like a row that {@link #sharesList shares its list} with this one
     * @param into the entries of that row, at the start of the array
     */
    void copyOwn(LftRow like, byte[] into) {
        for (int k : like.ownAt) {
            if (!isOwn(k)) {
                copyOthers(k, like, into);
            }
        }
        for (int k : ownAt) {
            copyOthers(k, like, into);
        }
    }

    /** Writes the runs of a span that are not as in another row. */
    private void copyOthers(int k, LftRow that, byte[] into) {
        RowSpan span = span(k);
        RowSpan other = that.span(k);
        int base = k * RowSpan.COLUMNS;
        int columns = Math.min(entryCount - base, RowSpan.COLUMNS);
        for (int i = 0, j = 0, from = 0; from < columns; ) {
            int to = Math.min(Math.min(span.ends[i], other.ends[j]), columns);
            if (!span.hasRun(i, other, j)) {
                span.copyTo(i, base + from, base + to, into, base + from);
            }
            i += span.ends[i] == to ? 1 : 0;
            j += other.ends[j] == to ? 1 : 0;
            from = to;
        }
    }

    /** Where columns from {@code base} on end that are the very same span of one run. */
    private int endOfLike(RowSpan span, int base, int to) {
        int end = base + RowSpan.COLUMNS;
        while (end < to && span(end / RowSpan.COLUMNS) == span) {
            end += RowSpan.COLUMNS;
        }
        return Math.min(end, to);
    }

    /** True if these are the entries from a column on, all of one span. */
    boolean has(int column, byte[] entries, int at, int count) {
        RowSpan span = span(column / RowSpan.COLUMNS);
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
            RowSpan span = span(at / RowSpan.COLUMNS);
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

    /** Visits the runs of columns {@code from .. to − 1} in order, the first and the last cut to fit; makes no patterns. */
    public void forEachPorts(int from, int to, PortsVisitor visitor) {
        byte[] buffer = new byte[Long.SIZE];
        for (int at = from; at < to; ) {
            RowSpan span = span(at / RowSpan.COLUMNS);
            int base = at - at % RowSpan.COLUMNS;
            for (int i = span.runAt(at - base); i < span.ends.length && at < to; i++) {
                int end = Math.min(base + span.ends[i], to);
                CandidatePorts ports = span.ports(i);
                if (ports == null) {
                    byte[] all = span.pattern(i).ports();
                    visitor.run(at, end, all, all.length);
                } else {
                    visitor.run(at, end, buffer, ports.ports(span.candidates(i), buffer));
                }
                at = end;
            }
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
            if (!sharesSpan(k, that) && !span(k).sameAs(that.span(k))) {
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
            if (!sharesSpan(k, that)) {
                others[k >> 6] |= 1L << k;
                differs = differs || !span(k).sameAs(that.span(k));
            }
        }
        return differs;
    }

    /** True if columns {@code k * SPAN_COLUMNS} and following are the very same part: then the entries are the same. */
    @SuppressWarnings("ReferenceEquality") // sharing is what is asked for
    public boolean sharesSpan(int k, LftRow that) {
        boolean listed = spans[k] == that.spans[k] && by == that.by && !isOwn(k) && !that.isOwn(k);
        return listed || span(k).isVery(that.span(k));
    }

    /** Entries that the columns {@code k * SPAN_COLUMNS} and following can have, as a set of 256 bits; read only. */
    public long[] entrySet(int k) {
        return span(k).entrySet();
    }

    /** Equal for rows of {@link #sameParts}. */
    public int partsHash() {
        int hash = partsHash;
        if (hash == 0) {
            hash = 1;
            for (int k = 0; k < spans.length; k++) {
                hash += partHash(k, span(k));
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
     * @param others the spans that are not the very same in that row, as bits
     */
    public int partsHash(LftRow that, long[] others) {
        int hash = that.partsHash;
        if (hash != 0) {
            for (int i = 0; i < others.length; i++) {
                for (long rest = others[i]; rest != 0; rest &= rest - 1) {
                    int k = 64 * i + Long.numberOfTrailingZeros(rest);
                    hash += partHash(k, span(k)) - partHash(k, that.span(k));
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
        for (int k = 0; k < spans.length; k++) {
            if (!span(k).servesBy(ports, others)) {
                return null;
            }
        }
        return readBy(others);
    }

    /** The same where it is known that they {@linkplain #with serve}. */
    LftRow readBy(CandidatePorts others) {
        return new LftRow(entryCount, own.length == 0 ? spans : copyOfSpans(), others, NOWHERE, NO_SPANS);
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
        RowSpan[] grown = Arrays.copyOf(copyOfSpans(), spanCount(newEntryCount));
        Arrays.fill(grown, spans.length, grown.length, PortPattern.NO_ROUTE.wholeSpan());
        int used = entryCount % RowSpan.COLUMNS;
        if (used > 0) {
            grown[spans.length - 1] = span(spans.length - 1).endedAt(used);
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

    /** Made when it is asked for where the list is read by other ports: another object each time, but {@link RowSpan#isVery} the same. */
    RowSpan span(int k) {
        return isOwn(k) ? own[Arrays.binarySearch(ownAt, k)] : listed(k);
    }

    private boolean isOwn(int k) {
        int last = ownAt.length - 1;
        return last >= 0 && k >= ownAt[0] && k <= ownAt[last] && Arrays.binarySearch(ownAt, k) >= 0;
    }

    /** A span of the list, as this row reads it. */
    RowSpan listed(int k) {
        CandidatePorts others = by;
        return others == null ? spans[k] : spans[k].by(others);
    }

    RowSpan[] copyOfSpans() {
        RowSpan[] all = spans.clone();
        if (by != null) {
            Arrays.setAll(all, this::listed);
        }
        for (int i = 0; i < own.length; i++) {
            all[ownAt[i]] = own[i];
        }
        return all;
    }

    /**
     * This row but for some spans: they are its own, and it shares the list of this one, unless they are many or this one has its own already.
     *
     * @param at places, ascending; kept
     * @param others taken over
     */
    LftRow withOwn(int[] at, RowSpan[] others) {
        if (own.length == 0 && OWN_SHARE * at.length <= spans.length) {
            return new LftRow(entryCount, spans, by, at, others);
        }
        RowSpan[] all = copyOfSpans();
        for (int i = 0; i < at.length; i++) {
            all[at[i]] = others[i];
        }
        return new LftRow(entryCount, all);
    }

    /**
     * This row, put on another base: where it shares all but its own spans with the last one, and the bases share what is
     * under those, only the list changes.
     *
     * @param lastBase what it was made of by some runs, each span they touch its own
     * @return what the same runs would make of {@code base}; null if they are to be put
     */
    @SuppressWarnings("ReferenceEquality") // sharing is what is asked for
    public @Nullable LftRow rebased(LftRow lastBase, LftRow base) {
        if (!sharesList(lastBase) || own.length == 0 || base.own.length > 0 || entryCount != base.entryCount) {
            return null;
        }
        for (int k : ownAt) {
            if (spans[k] != base.spans[k] || by != base.by) {
                return null;
            }
        }
        return sharesList(base) ? this : new LftRow(entryCount, base.spans, base.by, ownAt, own);
    }

    /** True if made of the very same spans. */
    boolean hasSpansOf(LftRow that) {
        if (entryCount != that.entryCount) {
            return false;
        }
        for (int k = 0; k < spans.length; k++) {
            if (!sharesSpan(k, that)) {
                return false;
            }
        }
        return true;
    }

    /** True if this row is as long as another one and has the same spans of its own, under which nothing changed. */
    boolean changedInListAlone(LftRow from) {
        boolean alone = entryCount == from.entryCount && own == from.own && by == from.by;
        for (int i = 0; alone && i < ownAt.length; i++) {
            alone = hasListedOf(ownAt[i], from);
        }
        return alone;
    }

    /** True if the lists are one, by whatever ports they are read. */
    boolean hasListOf(LftRow that) {
        return spans == that.spans;
    }

    /** True if the lists have the very same span, by whatever ports they are read. */
    boolean hasListedOf(int k, LftRow that) {
        return spans[k] == that.spans[k];
    }

    /** True if the list is read by other ports than its own. */
    boolean isReadByOthers() {
        return by != null;
    }

    /** A span of the list, as it is there. */
    RowSpan inList(int k) {
        return spans[k];
    }
}
