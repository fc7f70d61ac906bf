package io.dmodc.ctl;

import io.dmodc.topology.FabricView;
import io.dmodc.topology.LinkRates;
import io.dmodc.topology.rates.SlowLinkUse;
import io.dmodc.topology.rates.SlowLinks;
import java.util.Optional;
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

    SlowLinkUse use() {
        return use;
    }

    /** The fabric without the links that are to be avoided; says on standard error if there are slow ones. */
    Fabric applied(Fabric fabric) {
        return fabric.with(applied(fabric.view(), fabric.source().rates()));
    }

    /** The same of a view. */
    FabricView applied(FabricView view, LinkRates rates) {
        SlowLinks slow = SlowLinks.of(view, rates);
        remark(view, slow).ifPresent(spec.commandLine().getErr()::println);
        return slow.routed(view, use);
    }

    /** The same without a word, of a fabric of which it was said. */
    FabricView routed(FabricView view, LinkRates rates) {
        return SlowLinks.routed(view, rates, use);
    }

    /** Which slow links there are and what is done with them; empty if there are none. */
    Optional<String> remark(FabricView view, LinkRates rates) {
        return remark(view, SlowLinks.of(view, rates));
    }

    private Optional<String> remark(FabricView view, SlowLinks slow) {
        return slow.count() == 0
                ? Optional.empty()
                : Optional.of(remark(slow.count(), slow.leftOut(use, view).size()));
    }

    private String remark(int slow, int avoided) {
        String found = slow + (slow == 1 ? " link between switches is" : " links between switches are")
                + " slower than most of the same ranks, see 'fabricctl topology show'; ";
        return use == SlowLinkUse.IGNORE
                ? found + "--slow-links avoid leaves out those beside which others lead to the same switch"
                : found + avoided + " left out, " + (slow - avoided) + " without another to the same switch";
    }
}
