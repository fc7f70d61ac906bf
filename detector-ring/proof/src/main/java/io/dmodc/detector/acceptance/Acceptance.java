package io.dmodc.detector.acceptance;

import io.dmodc.detector.acceptance.AcceptanceRow.Verdict;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;

/**
 * The acceptance table of the detector. Rows run one after the other, so that none disturbs another's times; a figure
 * two rows need is measured once.
 */
public final class Acceptance {
    /** What measures a line of a row; rows that are proven in several ways have several. */
    private record Entry(String row, RowProbe probe) {}

    /** A11 measures processor time: it runs before others have filled the memory and shaped the compiled code. */
    private static final List<Entry> ENTRIES = List.of(
            new Entry("A11", SimulatedRings::simulator),
            new Entry("A1", RealRings::kills),
            new Entry("A2", ExternalPrograms::peers),
            new Entry("A3", RealRings::traffic),
            new Entry("A3", SimulatedRings::traffic),
            new Entry("A4", FalseSuspicions::cpu),
            new Entry("A5", RealRings::propagation),
            new Entry("A5", SimulatedRings::propagation),
            new Entry("A6", SimulatedFaults::walls),
            new Entry("A7", SimulatedFaults::beyond),
            new Entry("A7", SurroundedNode::run),
            new Entry("A8", SimulatedFaults::pod),
            new Entry("A9", FalseSuspicions::run),
            new Entry("A10", SimulatedRings::loss),
            new Entry("A12", SimulatedRings::rejoin),
            new Entry("A13", ExternalPrograms::links),
            new Entry("A14", ExternalPrograms::headless),
            new Entry("A15", HostileWorld::run));

    private Acceptance() {}

    /** All rows, in the order they run. */
    public static List<String> rows() {
        return ENTRIES.stream().map(Entry::row).distinct().toList();
    }

    /**
     * Runs rows and hands out each line when it is known.
     *
     * @param wanted   some of {@link #rows}
     * @param out      gets each line, on the caller's thread
     * @param progress gets a few words whenever something begins that takes seconds
     * @return true if no line failed
     * @throws InterruptedException if the caller's thread was interrupted; children are gone then
     */
    public static boolean run(
            Collection<String> wanted, AcceptanceEffort effort, Consumer<AcceptanceRow> out, Consumer<String> progress)
            throws InterruptedException {
        List<AcceptanceRow> lines = new ArrayList<>();
        Consumer<AcceptanceRow> both = lines::add;
        try (ProbeContext context = new ProbeContext(effort, both.andThen(out), progress)) {
            for (Entry entry : ENTRIES) {
                if (wanted.contains(entry.row)) {
                    run(entry, context);
                }
            }
        }
        return lines.stream().noneMatch(line -> line.verdict() == Verdict.FAIL);
    }

    /** A probe that breaks is a failed row, not the end of the table. */
    private static void run(Entry entry, ProbeContext context) throws InterruptedException {
        try {
            entry.probe.run(context);
        } catch (IOException | IllegalStateException | UncheckedIOException e) {
            context.put(AcceptanceRow.judged(
                    entry.row, "measured to the end", String.valueOf(e.getMessage()), "no error", false));
        }
    }
}
