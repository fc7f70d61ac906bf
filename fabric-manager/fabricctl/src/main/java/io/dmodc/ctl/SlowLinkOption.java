package io.dmodc.ctl;

import io.dmodc.topology.PortPlace;
import io.dmodc.topology.rates.SlowLinks;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** What is done with links that are slower than most between the same two ranks, where tables are made or judged. */
final class SlowLinkOption {
    /** Whether routes may use them. */
    enum Use {
        IGNORE,
        AVOID;

        /** As it is written on a command line. */
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--slow-links",
            paramLabel = "ignore|avoid",
            defaultValue = "ignore",
            description =
                    "links slower than most between the same two ranks: take them as the others, or leave them out"
                            + " where another one leads to the same switch (default: ${DEFAULT-VALUE})")
    private Use use = Use.IGNORE;

    /** The fabric without the links that are to be avoided; says on standard error if there are slow ones. */
    Fabric applied(Fabric fabric) {
        SlowLinks slow = SlowLinks.of(fabric.view(), fabric.source().rates());
        if (slow.count() == 0) {
            return fabric;
        }
        List<PortPlace> avoided = use == Use.AVOID ? slow.avoidable(fabric.view()) : List.of();
        spec.commandLine().getErr().println(remark(slow.count(), avoided.size()));
        return fabric.with(fabric.view().without(new BitSet(), avoided));
    }

    private String remark(int slow, int avoided) {
        String found = slow + (slow == 1 ? " link between switches is" : " links between switches are")
                + " slower than most of the same ranks, see 'fabricctl topology show'; ";
        return use == Use.IGNORE
                ? found + "--slow-links avoid leaves out those beside which others lead to the same switch"
                : found + avoided + " left out, " + (slow - avoided) + " without another to the same switch";
    }
}
