package io.dmodc.ctl;

import io.dmodc.topology.PortPlace;
import io.dmodc.topology.rates.SlowLinkUse;
import io.dmodc.topology.rates.SlowLinks;
import java.util.BitSet;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** What is done with links that are slower than most between the same two ranks, where tables are made or judged. */
final class SlowLinkOption {
    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--slow-links",
            paramLabel = "ignore|avoid",
            defaultValue = "ignore",
            description =
                    "links slower than most between the same two ranks: take them as the others, or leave them out"
                            + " where another one leads to the same switch (default: ${DEFAULT-VALUE})")
    private SlowLinkUse use = SlowLinkUse.IGNORE;

    /** The fabric without the links that are to be avoided; says on standard error if there are slow ones. */
    Fabric applied(Fabric fabric) {
        SlowLinks slow = SlowLinks.of(fabric.view(), fabric.source().rates());
        if (slow.count() == 0) {
            return fabric;
        }
        List<PortPlace> avoided = slow.leftOut(use, fabric.view());
        spec.commandLine().getErr().println(remark(slow.count(), avoided.size()));
        return fabric.with(fabric.view().without(new BitSet(), avoided));
    }

    private String remark(int slow, int avoided) {
        String found = slow + (slow == 1 ? " link between switches is" : " links between switches are")
                + " slower than most of the same ranks, see 'fabricctl topology show'; ";
        return use == SlowLinkUse.IGNORE
                ? found + "--slow-links avoid leaves out those beside which others lead to the same switch"
                : found + avoided + " left out, " + (slow - avoided) + " without another to the same switch";
    }
}
