package io.dmodc.manager.core;

import io.dmodc.manager.core.Act.Verb;
import io.dmodc.manager.state.StateRecord;
import io.dmodc.manager.state.StateRecord.Intent;
import io.dmodc.manager.state.StateRecord.Removed;
import io.dmodc.manager.state.StoredState;
import io.dmodc.routing.rebalance.EntryMoves;
import io.dmodc.routing.rebalance.RowMoves;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Which entries operators want moved, over restarts, too.
 *
 * <p>Those in the tables of the last accepted epoch are kept by switch, and written only with an epoch that is accepted: so these tables
 * can be computed again. What was asked for since then is kept as a whole, at once, until an epoch with it is accepted. What an
 * epoch drops is asked for no more.
 */
final class EntryMoveIntent {
    private static final String ACT = Verb.REBALANCE.word();

    private final RecordWriter records;
    private EntryMoves accepted;

    /** By whose word, when and why; {@code null} while nothing is moved. */
    private @Nullable Intent author;

    /** What was asked for and is in no accepted tables yet, and the same as moves. */
    private @Nullable Intent asked;

    private EntryMoves askedMoves = EntryMoves.NONE;

    /** What was asked for, as the view computed last has it, and all moves that it has. */
    private @Nullable Intent drawn;

    private EntryMoves drawnMoves = EntryMoves.NONE;

    /** @throws IllegalArgumentException in one line when a record cannot be read */
    EntryMoveIntent(StoredState stored, RecordWriter records) {
        this.records = records;
        Map<Long, RowMoves> rows = new HashMap<>();
        for (Intent intent : stored.all(Intent.class)) {
            if (intent.act().equals(ACT) && intent.guid() == 0) {
                asked = intent;
                askedMoves = read(intent, EntryMoves::parse);
            } else if (intent.act().equals(ACT)) {
                author = intent;
                rows.put(intent.guid(), read(intent, RowMoves::parse));
            }
        }
        accepted = EntryMoves.of(rows);
    }

    private static <T> T read(Intent intent, Function<String, T> parser) {
        try {
            return parser.apply(intent.value());
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("record " + intent.key() + ": " + e.getMessage(), e);
        }
    }

    /** The same, to be changed without this one; what is changed is written there. */
    EntryMoveIntent copy(RecordWriter other) {
        EntryMoveIntent copy = new EntryMoveIntent(new StoredState(), other);
        copy.accepted = accepted;
        copy.asked = asked;
        copy.askedMoves = askedMoves;
        return copy;
    }

    /** What is kept under this key as long as nobody asks for something else. */
    Optional<StateRecord> find(StateRecord.Key key) {
        return Optional.<StateRecord>ofNullable(asked)
                .filter(intent -> intent.key().equals(key));
    }

    /** Those in the tables of the last accepted epoch. */
    EntryMoves accepted() {
        return accepted;
    }

    /** Those that the next tables are to have. */
    EntryMoves wanted() {
        return asked == null ? accepted : askedMoves;
    }

    /** By whose word, when and why, and nothing else; {@code null} while nothing is to be moved. */
    @Nullable
    Intent author() {
        Intent by = asked == null ? author : asked;
        return by == null || wanted().isEmpty() ? null : new Intent(ACT, 0, 0, "", by.by(), by.atMillis(), by.why());
    }

    /** These and no others are wanted from now on. */
    void ask(EntryMoves moves, String by, long atMillis, String why) {
        Intent intent = new Intent(ACT, 0, 0, moves.toString(), by, atMillis, why);
        asked = intent;
        askedMoves = moves;
        records.asked(intent);
    }

    /** A view is computed with those that are wanted. */
    EntryMoves draw() {
        drawn = asked;
        drawnMoves = wanted();
        return drawnMoves;
    }

    /** What the view computed last was computed with. */
    EntryMoves drawn() {
        return drawnMoves;
    }

    /**
     * The tables of that view are accepted.
     *
     * @param laid that are in them
     */
    void accept(EntryMoves laid) {
        Intent by = drawn == null ? author : drawn;
        TreeSet<Long> switches = new TreeSet<>(accepted.rows().keySet());
        switches.addAll(laid.rows().keySet());
        for (long guid : switches) {
            RowMoves now = laid.rows().get(guid);
            if (now == null) {
                records.stage(new Removed(new Intent(ACT, guid, 0, "", "", 0, "").key()));
            } else if (drawn != null || !now.equals(accepted.rows().get(guid))) {
                Intent who = Objects.requireNonNull(by);
                records.stage(new Intent(ACT, guid, 0, now.toString(), who.by(), who.atMillis(), who.why()));
            }
        }
        if (drawn != null && drawn.equals(asked)) {
            records.stage(new Removed(drawn.key()));
            asked = null;
            askedMoves = EntryMoves.NONE;
        }
        accepted = laid;
        author = laid.isEmpty() ? null : by;
        drawn = null;
    }
}
