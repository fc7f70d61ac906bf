package io.dmodc.topology.grid;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;

/**
 * Tells lines of one kind from lines of the other: lines that meet in a leaf are of unlike kind, lines of one kind never
 * meet. A few cables in the wrong place make some of these meet, too, so lines are told by the company they keep: those
 * of one kind meet mostly the same lines, those of unlike kinds hardly any.
 *
 * <p>Of each kind, lines that take fewest leaves from others are taken first. One of which others have half already is no
 * line: its roots join the line that has more than half, or are {@link #odd}.
 */
final class LineKinds {
    private final List<GridLine> lines;
    private final List<BitSet> meets = new ArrayList<>();
    private final List<GridLine> odd = new ArrayList<>();
    private final List<GridLine> first;
    private final List<GridLine> second;

    LineKinds(List<GridLine> lines) {
        this.lines = lines;
        for (int i = 0; i < lines.size(); i++) {
            meets.add(metBy(i));
        }
        BitSet likeSeed = likeSeed();
        BitSet unlike = new BitSet();
        for (int i = 0; i < lines.size(); i++) {
            int common = GridLine.shared(meets.get(i), likeSeed);
            if (!likeSeed.get(i) && 2 * common > meets.get(i).cardinality()) {
                unlike.set(i);
            } else if (!likeSeed.get(i)) {
                odd.add(lines.get(i));
            }
        }
        first = disjoint(likeSeed);
        second = disjoint(unlike);
    }

    /** Lines of the kind that the best connected line is of; empty when nothing meets. */
    List<GridLine> first() {
        return first;
    }

    /** Lines of the other kind. */
    List<GridLine> second() {
        return second;
    }

    /** Roots of which it cannot be said which line they belong to, as the lines they seemed to make. */
    List<GridLine> odd() {
        return odd;
    }

    private BitSet metBy(int line) {
        BitSet met = new BitSet();
        for (int i = 0; i < lines.size(); i++) {
            if (i != line && lines.get(line).shared(lines.get(i)) > 0) {
                met.set(i);
            }
        }
        return met;
    }

    /** Lines that meet mostly what the line meets that meets most. */
    private BitSet likeSeed() {
        BitSet most =
                meets.stream().max(Comparator.comparingInt(BitSet::cardinality)).orElse(new BitSet());
        BitSet like = new BitSet();
        for (int i = 0; i < lines.size(); i++) {
            int common = GridLine.shared(meets.get(i), most);
            if (2 * common > Math.min(meets.get(i).cardinality(), most.cardinality())) {
                like.set(i);
            }
        }
        return like;
    }

    private List<GridLine> disjoint(BitSet members) {
        List<GridLine> kind =
                new ArrayList<>(members.stream().mapToObj(lines::get).toList());
        List<GridLine> all = List.copyOf(kind);
        kind.sort(Comparator.comparing((GridLine line) -> conflicts(line, all))
                .thenComparing(line -> -line.leaves().cardinality()));
        List<GridLine> kept = new ArrayList<>();
        BitSet taken = new BitSet();
        for (GridLine line : kind) {
            if (2 * GridLine.shared(line.leaves(), taken) < line.leaves().cardinality()) {
                taken.or(line.leaves());
                kept.add(line);
            } else if (!joined(line, kept)) {
                odd.add(line);
            }
        }
        return kept;
    }

    private static int conflicts(GridLine line, List<GridLine> kind) {
        return kind.stream().mapToInt(line::shared).sum() - line.leaves().cardinality();
    }

    private static boolean joined(GridLine line, List<GridLine> kept) {
        for (int i = 0; i < kept.size(); i++) {
            if (2 * line.shared(kept.get(i)) > line.leaves().cardinality()) {
                kept.set(i, kept.get(i).with(line.roots()));
                return true;
            }
        }
        return false;
    }
}
