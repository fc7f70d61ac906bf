package io.dmodc.manager.northbound;

import io.dmodc.manager.core.EpochHistory;
import io.dmodc.manager.core.FabricSnapshot;
import io.dmodc.manager.core.SwitchSnapshot;
import io.dmodc.manager.loop.RowDigests;
import io.dmodc.manager.northbound.answer.DiffAnswer;
import io.dmodc.manager.northbound.answer.DiffAnswer.Table;
import io.dmodc.manager.northbound.answer.KeptEpochsAnswer;
import io.dmodc.manager.state.StateRecord.KeptEpoch;
import io.dmodc.routing.LftSet;
import io.dmodc.routing.change.TableDifference.EpochTables;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Semaphore;

/**
 * {@code /api/v1/diff}: in what accepted epochs differ. Tables of older ones are made for the answer, which takes seconds for
 * everything in the largest fabrics: one answer at a time, and who asks meanwhile is refused.
 */
final class DiffApi {
    static final Set<String> PARAMETERS = Set.of("from", "to", "switch", "limit");

    private final Semaphore one = new Semaphore(1);

    /** Which epochs can be compared. */
    static KeptEpochsAnswer kept(Parameters parameters, FabricSnapshot fabric) {
        return KeptEpochsAnswer.of(fabric);
    }

    DiffAnswer diff(Parameters parameters, FabricSnapshot fabric) {
        long from = epoch(parameters, "from");
        long to = epoch(parameters, "to");
        String name = parameters.text("switch");
        int limit = parameters.limit();
        SwitchSnapshot wanted = name == null ? null : SwitchNames.find(fabric, name);
        if (!one.tryAcquire()) {
            throw RequestRefused.busy("another difference is being made; ask again");
        }
        try {
            EpochTables before = tables(fabric.kept(), from);
            EpochTables after = tables(fabric.kept(), to);
            Table table = wanted == null ? null : DiffAnswer.table(before, after, wanted.guid(), wanted.name(), limit);
            return DiffAnswer.of(before, after, table);
        } finally {
            one.release();
        }
    }

    private static long epoch(Parameters parameters, String name) {
        parameters.required(name);
        return parameters.number(name, 0, 0, Long.MAX_VALUE);
    }

    private static EpochTables tables(EpochHistory kept, long epoch) {
        EpochTables tables;
        try {
            tables = kept.at(epoch, RowDigests.RULE);
        } catch (IllegalArgumentException e) {
            throw RequestRefused.notFound("epoch " + epoch + ": " + e.getMessage());
        }
        if (tables != null && !(tables.tables() instanceof LftSet)) {
            throw RequestRefused.notFound("epoch " + epoch
                    + ": its tables are those of a grid, and only tables by destination alone are compared");
        }
        if (tables == null) {
            throw RequestRefused.notFound("tables of epoch " + epoch + " are not kept; those of "
                    + (kept.epochs().isEmpty() ? "none are" : range(kept.epochs())));
        }
        return tables;
    }

    private static String range(List<KeptEpoch> newestFirst) {
        return newestFirst.size() + " epochs from "
                + newestFirst.get(newestFirst.size() - 1).epoch() + " to "
                + newestFirst.get(0).epoch() + " are";
    }
}
