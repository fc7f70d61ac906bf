package io.dmodc.southbound;

import io.dmodc.southbound.proto.PatternRuns;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The patterns of one table: which there are, how much of each is still needed, and which are written already.
 *
 * <p>A pattern is written once, when a run first needs it, in the shortest of three ways: as an earlier pattern without
 * some ports (one lost link at another switch takes one port away), as its list of ports, or, where the runs still to
 * come touch fewer steps of it than it has ports, as only what this run needs. A list of n ports is written only when
 * those runs touch n steps, a derived one when they touch n / {@value #DERIVED_PER_STEP}, so all patterns of a table
 * together have no more than {@value SouthboundProtocol#PATTERN_PORTS_PER_ENTRY} ports for each entry: the bound of the
 * protocol.
 *
 * <p>Memory is O(patterns); finding a base looks at {@value #BASES} candidates.
 */
final class PushPatterns {
    /** Patterns written as lists that a derived one is looked for among, newest first. */
    private static final int BASES = 8;

    /** One less than the protocol's bound: until a base is written, runs of the pattern may have taken one per step. */
    private static final int DERIVED_PER_STEP = SouthboundProtocol.PATTERN_PORTS_PER_ENTRY - 1;

    private static final int UNWRITTEN = -1;

    private static final class Entry {
        final Pattern pattern;
        final int id;

        /** Of the runs whose number was not asked for yet. */
        long steps;

        int number = UNWRITTEN;

        Entry(Pattern pattern, int id) {
            this.pattern = pattern;
            this.id = id;
        }
    }

    private record Base(Pattern pattern, int number) {}

    private final Map<Pattern, Entry> known = new HashMap<>();
    private final List<Entry> entries = new ArrayList<>();
    private final List<Base> bases = new ArrayList<>();
    private final List<Entry> written = new ArrayList<>();
    private int count;

    /** What was used and written so far, for {@link #forget}. */
    record Mark(int count, int bases, int written) {}

    /** Notes that a run uses the pattern; returns its id, dense from 0. */
    int use(Pattern pattern, int steps) {
        Entry entry = known.get(pattern);
        if (entry == null) {
            entry = new Entry(pattern, entries.size());
            known.put(pattern, entry);
            entries.add(entry);
        }
        entry.steps += steps;
        return entry.id;
    }

    Pattern pattern(int id) {
        return entries.get(id).pattern;
    }

    /** Returns the number of a pattern that is right for these columns, after writing it to the piece if it is new. */
    int number(int id, int from, int to, PatternRuns.Builder piece) {
        Entry entry = entries.get(id);
        long steps = entry.steps;
        entry.steps -= entry.pattern.steps(from, to);
        if (entry.number != UNWRITTEN) {
            return entry.number;
        }
        int ports = entry.pattern.ports().length;
        PatternRuns.@Nullable Pattern derived = ports <= DERIVED_PER_STEP * steps ? derived(entry.pattern) : null;
        if (derived == null && ports > steps) {
            return write(entry.pattern.cut(from, to), piece);
        }
        written.add(entry);
        entry.number = count;
        if (derived == null) {
            return write(entry.pattern, piece);
        }
        piece.addPatterns(derived);
        return count++;
    }

    private int write(Pattern pattern, PatternRuns.Builder piece) {
        bases.add(new Base(pattern, count));
        piece.addPatterns(PatternRunsForm.listed(pattern));
        return count++;
    }

    private PatternRuns.@Nullable Pattern derived(Pattern pattern) {
        for (int i = bases.size() - 1; i >= Math.max(0, bases.size() - BASES); i--) {
            PatternRuns.Pattern derived = PatternRunsForm.derived(
                    pattern, bases.get(i).pattern(), bases.get(i).number());
            if (derived != null) {
                return derived;
            }
        }
        return null;
    }

    Mark mark() {
        return new Mark(count, bases.size(), written.size());
    }

    /** Takes back what was written after the mark, because that piece travels as raw blocks. */
    void forget(Mark mark) {
        count = mark.count();
        bases.subList(mark.bases(), bases.size()).clear();
        List<Entry> after = written.subList(mark.written(), written.size());
        after.forEach(entry -> entry.number = UNWRITTEN);
        after.clear();
    }
}
