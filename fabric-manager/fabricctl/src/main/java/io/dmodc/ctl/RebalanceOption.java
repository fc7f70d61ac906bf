package io.dmodc.ctl;

import io.dmodc.routing.LftSet;
import io.dmodc.routing.dmodc.Dmodc;
import io.dmodc.routing.rebalance.Rebalance;
import io.dmodc.routing.rebalance.Rebalanced;
import io.dmodc.topology.FabricView;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Whether entries of Dmodc's tables are moved to where shifts press less, and how many blocks that may change. */
final class RebalanceOption {
    private static final int STANDARD = 0;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--rebalance",
            paramLabel = "BLOCKS",
            arity = "0..1",
            fallbackValue = "" + STANDARD,
            description =
                    "engines dmodc and dmodc-strict: then move entries to other ports that lead closer, where that lowers"
                            + " the risk of shifts, in at most BLOCKS blocks of 64 entries; 0, or none told, is a"
                            + " twentieth of all")
    private @Nullable Integer blocks;

    /**
     * To be asked before anything long.
     *
     * @param maker an engine's name, or what else says where the tables come from
     * @throws IllegalArgumentException in one line, if the tables cannot be rebalanced or the bound is negative
     */
    void require(String maker) {
        if (blocks != null && blocks < 0) {
            throw new IllegalArgumentException("--rebalance " + blocks + "; expected 1 or more, or 0 for a twentieth");
        }
        if (blocks != null && forms().noneMatch(form -> form.name().equals(maker))) {
            throw new IllegalArgumentException("--rebalance with " + maker + "; expected engine dmodc or dmodc-strict");
        }
    }

    private static Stream<Dmodc> forms() {
        return Stream.of(Dmodc.standard(), Dmodc.strict());
    }

    /** The tables as asked for; says on standard error what was moved and what that gave. */
    LftSet applied(FabricView view, String engine, LftSet tables, Workers workers) {
        if (blocks == null) {
            return tables;
        }
        int most = blocks == STANDARD ? Rebalance.standardBlocks(tables) : blocks;
        Dmodc form =
                forms().filter(each -> each.name().equals(engine)).findFirst().orElseThrow();
        ProgressLine line =
                new ProgressLine("rebalance", spec.commandLine().getErr(), ProgressLine.onTerminal(), System::nanoTime);
        try {
            Rebalanced made = Rebalance.of(
                    view,
                    tables,
                    form.costsAndDividers(view, workers.parallel()),
                    most,
                    workers.parallel(),
                    line::reached);
            line.end();
            spec.commandLine().getErr().println(text(made, most));
            return made.tables();
        } finally {
            line.end();
        }
    }

    private static String text(Rebalanced made, int most) {
        return String.format(
                Locale.ROOT,
                "rebalance: moved %,d entries in %,d of at most %,d blocks, of %,d switches: all-to-all %d -> %d,"
                        + " shifts (max) %d -> %d, shifts (mean) %.2f -> %.2f, at least %.2f",
                made.entries(),
                made.blocks(),
                most,
                made.switches(),
                made.before().allToAll(),
                made.after().allToAll(),
                made.before().shiftMax(),
                made.after().shiftMax(),
                made.before().shiftMean(),
                made.after().shiftMean(),
                made.after().shiftMeanLeast());
    }
}
