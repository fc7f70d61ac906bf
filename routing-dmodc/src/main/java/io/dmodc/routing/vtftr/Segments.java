package io.dmodc.routing.vtftr;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Makes injection tables piece by piece: a segment says for one leaf and one row of destinations where packets go, one
 * {@link Turn#code} for each column.
 *
 * <p>Equal segments are one object. In a grid without faults there are {@code 2 · columns} of them for all
 * {@code rows² · columns}: towards other rows everything goes by row first, but for the leaf's own column.
 *
 * <p>While lines are whole only dead leaves count, and a segment follows from which leaves of its two rows are alive; else
 * each pair is asked for ({@link Paths}).
 */
final class Segments {
    private final GridState state;
    private final Paths paths;
    private final boolean pairwise;
    private final boolean anyRowSpare;
    private final boolean anyColumnSpare;
    private final Map<Segment, Segment> known;

    /** @param known segments made before, to be shared; added to */
    Segments(GridState state, SpareMode mode, Paths paths, Map<Segment, Segment> known) {
        this.state = state;
        this.paths = paths;
        this.pairwise = mode == SpareMode.PAIRWISE;
        this.anyRowSpare = !Bits.isEmpty(paths.soundColumns());
        this.anyColumnSpare = !Bits.isEmpty(paths.soundRows());
        this.known = known;
    }

    /** A key, and what it stands for. */
    static final class Segment {
        private final byte[] turns;

        Segment(byte[] turns) {
            this.turns = turns;
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Segment that && Arrays.equals(turns, that.turns);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(turns);
        }
    }

    /** Nothing made before is shared. */
    static Map<Segment, Segment> none() {
        return new HashMap<>();
    }

    /** Turns of leaf (rs, cs) for the leaves of row rd; shared, not to be changed. */
    byte[] segment(int rs, int cs, int rd) {
        byte[] turns = new byte[state.columns()];
        if (!state.alive(rs, cs)) {
            Arrays.fill(turns, Turn.NONE.code());
        } else if (!state.whole()) {
            for (int cd = 0; cd < turns.length; cd++) {
                turns[cd] = paths.injection(rs, cs, rd, cd).code();
            }
        } else if (rs == rd) {
            fillOwnRow(turns, rs, cs);
        } else {
            fillOtherRow(turns, rs, cs, rd);
        }
        Segment key = new Segment(turns);
        Segment same = known.putIfAbsent(key, key);
        return same == null ? turns : same.turns;
    }

    private void fillOwnRow(byte[] turns, int rs, int cs) {
        for (int cd = 0; cd < turns.length; cd++) {
            turns[cd] = (state.alive(rs, cd) ? Turn.ROW : Turn.NONE).code();
        }
        turns[cs] = Turn.DELIVER.code();
    }

    private void fillOtherRow(byte[] turns, int rs, int cs, int rd) {
        long[] near = state.row(rs).alive();
        long[] far = state.row(rd).alive();
        boolean otherCorner = Bits.get(far, cs);
        boolean rowSpare = pairwise ? Bits.meet(near, far) : anyRowSpare;
        for (int cd = 0; cd < turns.length; cd++) {
            Turn turn;
            if (!Bits.get(far, cd)) {
                turn = Turn.NONE;
            } else if (cd == cs) {
                turn = Turn.COLUMN;
            } else if (Bits.get(near, cd)) {
                turn = Turn.ROW;
            } else if (otherCorner) {
                turn = Turn.COLUMN;
            } else if (rowSpare) {
                turn = Turn.ROW;
            } else {
                turn = columnSpare(cs, cd) ? Turn.COLUMN : Turn.NONE;
            }
            turns[cd] = turn.code();
        }
    }

    private boolean columnSpare(int cs, int cd) {
        return pairwise ? Bits.meet(state.column(cs).alive(), state.column(cd).alive()) : anyColumnSpare;
    }
}
