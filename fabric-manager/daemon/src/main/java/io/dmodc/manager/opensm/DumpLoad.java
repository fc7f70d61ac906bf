package io.dmodc.manager.opensm;

import io.dmodc.manager.opensm.ReadBack.Held;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** One load of a dump, until all switches are seen to hold it or it is given up: who is still to be read, and what they said. For one thread. */
final class DumpLoad {
    /** After OpenSM was told, so long until the first reading. */
    static final long READ_FIRST_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private static final int NAMED_MAX = 5;

    /** By GUID, in the order in which they are read. */
    final Map<Long, SwitchTable> unseen = new LinkedHashMap<>();

    /** Of the unseen, those that hold something else. */
    final Map<Long, Held> wrong = new TreeMap<>(Long::compareUnsigned);

    /** Of the unseen, those that did not answer, and why. */
    private final Map<Long, String> silent = new TreeMap<>(Long::compareUnsigned);

    private final LoadTimes begun;

    /** When the last dump was about to be written, this one or the one it is compared with. */
    long writingNanos;

    /** How often OpenSM was told, and when first. */
    int signals;

    long signalledNanos;

    /** OpenSM sweeps anyway: it is told only if it turns out to have loaded the file before. */
    boolean awaitsSweep;

    /** Some switch that the core waits for was seen to hold its table. */
    boolean acknowledged;

    /** All that were asked have said what they hold, once at least. */
    boolean readThrough;

    /** All that the next round waits for were just seen to hold theirs: it comes before the rest is read. */
    boolean awaitsRound;

    /** The core has sent what it sends in answer to that. */
    boolean roundAnswered;

    /** How often those were read since OpenSM last sent tables. */
    int roundReadings;

    /** OpenSM's log said that it is done with the sweep in which it sent tables. */
    boolean swept;

    /** That the log names; empty before. */
    String engine = "";

    long gapNanos = READ_FIRST_NANOS;
    long nextNanos;
    long deadlineNanos;

    /** @param begun as far as it is known */
    DumpLoad(LoadTimes begun) {
        this.begun = begun;
    }

    /** Nobody asks what is not there. */
    void keepOnly(Discovery now) {
        unseen.keySet().removeIf(guid -> !now.switches().containsKey(guid));
        wrong.keySet().retainAll(unseen.keySet());
        silent.keySet().retainAll(unseen.keySet());
    }

    /**
     * Takes an answer.
     *
     * @return true if the switch holds what is written: it is read no more
     */
    boolean take(Held held) {
        long guid = held.table().guid();
        wrong.remove(guid);
        silent.remove(guid);
        if (!held.answered()) {
            silent.put(guid, held.failure());
            unseen.remove(guid);
            unseen.put(guid, held.table()); // Those that answer come first the next time.
            return false;
        }
        if (!held.table().difference(held.lft()).isEmpty()) {
            wrong.put(guid, held);
            return false;
        }
        unseen.remove(guid);
        return true;
    }

    /** True if a dump was written for it, not only compared. */
    boolean isOfNewDump() {
        return begun.writtenNanos() != 0;
    }

    long epoch() {
        return begun.epoch();
    }

    /** True if its dump was put into its place after this. */
    boolean answers(long noticedNanos) {
        return begun.writtenNanos() != 0 && begun.writtenNanos() - noticedNanos >= 0;
    }

    /** True if it is not the switches: none of those waited for has its table, and OpenSM's log does not say that it loaded the file. */
    boolean isLoadedByNobody() {
        return !wrong.isEmpty() && !acknowledged && !engine.equals("file");
    }

    int silentCount() {
        return silent.size();
    }

    /**
     * How it went, once all switches are seen to hold it, or another takes its place.
     *
     * @param configuredNanos when OpenSM's log said that these tables are sent; 0 if it did not
     * @param readBackNanos 0 if another took its place
     */
    LoadTimes times(long configuredNanos, long readBackNanos) {
        return new LoadTimes(
                begun.epoch(),
                begun.seenNanos(),
                begun.pushedNanos(),
                begun.writtenNanos(),
                signalledNanos,
                configuredNanos,
                readBackNanos,
                begun.switches(),
                begun.blocks());
    }

    /** What is wrong, for people: switch by switch, {@value #NAMED_MAX} at most of each kind. */
    String complaint() {
        List<String> complaints = new ArrayList<>();
        if (!wrong.isEmpty()) {
            complaints.add(wrong.size() + " switches do not hold what is written: "
                    + wrong.values().stream()
                            .limit(NAMED_MAX)
                            .map(held ->
                                    held.table().name() + " " + held.table().difference(held.lft()))
                            .collect(Collectors.joining(", ")));
        }
        if (!silent.isEmpty()) {
            complaints.add(silent.size() + " switches do not say what they hold: "
                    + silent.entrySet().stream()
                            .limit(NAMED_MAX)
                            .map(each -> Objects.requireNonNull(unseen.get(each.getKey()))
                                            .name() + " " + each.getValue())
                            .collect(Collectors.joining(", ")));
        }
        if (!engine.isEmpty() && !engine.equals("file")) {
            complaints.add("OpenSM routed by " + engine);
        }
        return String.join("; ", complaints);
    }
}
